import RxLinux
import SeededRandom
import Testing

@Suite struct QueueTests {
    @Test(arguments: 1...4) func matchesArrayUnderRandomOperations(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (queue, model) = (Queue<Int>([-2, -1]), [-2, -1])
        for number in 0..<3000 {
            // The queue grows for 500 operations, and then shrinks for as many.
            switch random.below(10) {
            case 0..<(number / 500 % 2 == 0 ? 6 : 3):
                queue.append(number)
                model.append(number)
            case 8:
                queue.prepend(number)
                model.insert(number, at: 0)
            case 9 where !model.isEmpty:
                let offset = random.below(model.count)
                queue[queue.startIndex + offset] = number
                model[offset] = number
            default:
                #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(Array(queue) == model)
            #expect(queue.first == model.first)
        }
    }

    @Test func indicesStayWhenElementsAreRemoved() {
        var queue = Queue(0..<1000)
        let index = queue.index(queue.startIndex, offsetBy: 900)
        for number in 0..<900 { #expect(queue.popFirst() == number) }
        #expect(queue[index] == 900)
        #expect(queue.startIndex == index)
    }

    @Test func removedElementIsReleasedAtOnce() {
        final class Element {}
        var queue = Queue<Element>((0..<3).map { _ in Element() })
        weak let first = queue.first
        _ = queue.popFirst()
        #expect(first == nil)
    }
}
