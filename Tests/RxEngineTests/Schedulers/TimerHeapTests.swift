import TestSupport
import Testing

@testable import RxEngine

@Suite(.balanced) struct TimerHeapTests {
    private final class Item: TimerItem, @unchecked Sendable {
        let number: Int

        init(_ number: Int) {
            self.number = number
            super.init(.timer, timers: nil, period: 0)
        }
    }

    /// Against a list that is sorted anew each time.
    @Test(arguments: [1, 2, 3, 4]) func matchesSortedList(seed: UInt64) {
        var random = Generator(seed)
        var heap = TimerHeap()
        var model: [(deadline: UInt64, item: Item)] = []
        for number in 0..<3000 {
            switch UInt8.random(in: 0..<5, using: &random) {
            case 0, 1, 2:
                let deadline = UInt64.random(in: 0..<500, using: &random)
                let item = Item(number)
                heap.insert(item, at: deadline)
                model.insert((deadline, item), at: model.firstIndex { $0.deadline > deadline } ?? model.count)
            case 3:
                guard let index = model.indices.randomElement(using: &random) else { break }
                let item = model.remove(at: index).item
                let (removed, again) = (heap.remove(item), heap.remove(item))
                #expect(removed === item)
                #expect(again == nil)
            default:
                let time = UInt64.random(in: 0..<500, using: &random)
                let due = heap.removeFirst(dueBy: time)
                let first = model.first.flatMap { $0.deadline <= time ? $0 : nil }
                if first != nil { model.removeFirst() }
                #expect(due?.timer === first?.item)
                #expect(due?.deadline == first?.deadline)
            }
            heap.checkInvariants()
            let earliest = heap.earliest
            #expect(earliest == model.first?.deadline)
        }
        while let due = heap.removeFirst(dueBy: .max) { #expect(due.timer === model.removeFirst().item) }
        #expect(model.isEmpty)
    }
}
