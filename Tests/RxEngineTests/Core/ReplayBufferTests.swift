import TestSupport
import Testing

@testable import RxEngine

@Suite(.balanced) struct ReplayBufferTests {
    private final class Element {
        let number: Int
        private let ticket = ResourceTicket(.disposable)

        init(_ number: Int) {
            self.number = number
        }
    }

    @Test(arguments: [0, 1, 2, 3, 4, 7, 100]) func holdsLastElementsInOrder(capacity: Int) {
        var buffer = ReplayBuffer<Element>(capacity: capacity)
        var model: [Int] = []
        for number in 0..<600 {
            var element = Element(number)
            buffer.exchange(&element)
            // A full buffer hands the oldest element back; one without capacity, the same.
            let isFull = model.count == capacity
            model.append(number)
            #expect(element.number == (isFull ? model.removeFirst() : number))
            if number % 230 == 229 {
                let taken = buffer.takeAll()
                #expect((taken == nil) == (capacity == 0))
                model = []
            }
            buffer.checkInvariants()
            #expect(buffer.elements.map(\.number) == model)
            #expect(buffer.isEmpty == model.isEmpty)
            if let last = model.last { #expect(buffer.newest.number == last) }
        }
        buffer.destroy()
    }
}
