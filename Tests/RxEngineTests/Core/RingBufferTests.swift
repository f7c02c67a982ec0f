import TestSupport
import Testing

@testable import RxEngine

@Suite(.balanced) struct RingBufferTests {
    private final class Element {
        let number: Int
        private let ticket = ResourceTicket(.disposable)

        init(_ number: Int) {
            self.number = number
        }
    }

    @Test(arguments: 1...4) func matchesArrayUnderRandomOperations(seed: UInt64) {
        var random = Generator(seed)
        var queue = RingBuffer<Element>()
        var model: [Int] = []
        for number in 0..<3000 {
            // The buffer grows and shrinks alternately.
            switch random.below(10) {
            case 0..<(number / 500 % 2 == 0 ? 6 : 3):
                queue.append(Element(number))
                model.append(number)
            case 9 where random.below(30) == 0:
                let all = queue.removeAll().map(\.number)
                #expect(all == model)
                model = []
            default:
                guard !model.isEmpty else { break }
                let first = queue.first.number
                let removed = queue.removeFirst().number
                #expect(first == model[0])
                #expect(removed == model.removeFirst())
            }
            let (count, isEmpty) = (queue.count, queue.isEmpty)
            #expect(count == model.count)
            #expect(isEmpty == model.isEmpty)
        }
        let last = queue.map(\.number)
        #expect(last == model)
    }
}
