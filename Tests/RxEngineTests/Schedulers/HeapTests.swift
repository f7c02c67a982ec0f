import TestSupport
import Testing

@testable import RxEngine

@Suite(.balanced) struct HeapTests {
    private struct Entry: HeapEntry {
        let key: Key
        let number: Int

        func isBefore(_ other: Entry) -> Bool { (key.value, number) < (other.key.value, other.number) }

        func didMove(to index: Int) { key.index = index }
    }

    /// Counted, so that an entry that is not released is seen.
    private final class Key {
        var value: Int
        var index = -1
        private let ticket = ResourceTicket(.disposable)

        init(_ value: Int) {
            self.value = value
        }
    }

    /// Against a list that is sorted anew each time.
    @Test(arguments: 1...4) func matchesSortedList(seed: UInt64) {
        var random = Generator(seed)
        var heap = Heap<Entry>()
        var model: [Entry] = []
        for number in 0..<2000 {
            switch random.below(20) {
            case 0..<11:
                let entry = Entry(key: Key(random.below(300)), number: number)
                heap.insert(entry)
                model.append(entry)
                model.sort { $0.isBefore($1) }
            case 11..<15 where !model.isEmpty:
                let removed = heap.remove(at: 0)
                #expect(removed.number == model.removeFirst().number)
            case 15..<19 where !model.isEmpty:
                let entry = model.remove(at: random.below(model.count))
                let removed = heap.remove(at: entry.key.index)
                #expect(removed.number == entry.number)
            case 19:
                let remainder = random.below(7)
                heap.removeAll { $0.number % 7 == remainder }
                model.removeAll { $0.number % 7 == remainder }
            default: break
            }
            heap.checkInvariants()
            let (first, count) = (heap.first?.number, heap.count)
            #expect(first == model.first?.number)
            #expect(count == model.count)
        }
        // The others are released with the heap.
        for entry in model.prefix(model.count / 2) {
            let removed = heap.remove(at: 0)
            #expect(removed.number == entry.number)
        }
    }

    /// A heap cannot see that a key changes, but its next operation does.
    @Test func changedKeyTrapsInDebugBuild() async {
        await #expect(processExitsWith: .failure) {
            var heap = Heap<Entry>()
            let keys = (0..<5).map { Key($0) }
            for key in keys { heap.insert(Entry(key: key, number: 0)) }
            keys[0].value = 10
            heap.insert(Entry(key: Key(20), number: 0))
        }
    }
}
