import Glibc
import TestSupport
import Testing

@testable import RxEngine

@Suite struct SinkListTests {
    private final class Numbered: Sink<Int> {
        let number: Int

        init(_ number: Int) {
            self.number = number
            super.init(LiveSubscription())
        }
    }

    private func numbers(_ list: SinkList) -> [Int] {
        list.all.compactMap { ($0 as? Numbered)?.number }
    }

    /// The same operations on a list and on an array that is searched and sorted at each of them.
    @Test(arguments: 0..<40) func matchesSortedArrayUnderRandomOperations(seed: UInt64) {
        var random = Generator(seed)
        var list = SinkList()
        var model: [(key: SinkList.Key, number: Int)] = []
        var held: [SinkList.Key] = []
        var used: [SinkList.Key] = [0]
        let mostlyAdds = seed % 2 == 0
        for step in 0..<1_500 {
            switch random.below(20) {
            case 0..<(mostlyAdds ? 10 : 6):
                let key = list.makeKey()
                list.add(Numbered(step), as: key)
                model.append((key, step))
                used.append(key)
            case 10:
                held.append(list.makeKey())
            case 11 where !held.isEmpty:
                let key = held.remove(at: random.below(held.count))
                list.add(Numbered(step), as: key)
                model.append((key, step))
                model.sort { $0.key < $1.key }
                used.append(key)
            case 12 where random.below(40) == 0:
                let all = list.takeAll()
                #expect(numbers(all) == model.map(\.number))
                model = []
            case 13...15 where !model.isEmpty:
                let index = [0, model.count - 1, model.count / 2][random.below(3)]
                let removed = list.remove(model[index].key) as? Numbered
                #expect(removed?.number == model[index].number)
                model.remove(at: index)
            default:
                let key = used[random.below(used.count)]
                let index = model.firstIndex { $0.key == key }
                let removed = list.remove(key) as? Numbered
                #expect(removed?.number == index.map { model[$0].number })
                if let index { model.remove(at: index) }
            }
            list.checkInvariants()
            #expect(list.isEmpty == model.isEmpty)
            #expect(list.isSingle == (model.count <= 1))
            #expect(list.count == model.count)
            #expect((list.first as? Numbered)?.number == model.first?.number)
            if numbers(list) != model.map(\.number) {
                Issue.record("step \(step): \(numbers(list)) instead of \(model.map(\.number))")
                return
            }
        }
    }

    @Test func removedSinkIsReleasedByCaller() {
        var list = SinkList()
        let keys = (0..<200).map { number in
            let key = list.makeKey()
            list.add(Numbered(number), as: key)
            return key
        }
        for (number, key) in keys.enumerated() {
            var removed = list.remove(key)
            weak let object = removed
            #expect(object != nil)
            #expect((removed as? Numbered)?.number == number)
            removed = nil
            #expect(object == nil)
        }
    }

    /// Four times as many removals take about four times as long; sixteen times if each took time in proportion to the
    /// number of sinks. The time is the thread's own, so the load of the machine makes no difference.
    @Test(arguments: Order.allCases) func removalTakesAmortisedConstantTime(_ order: Order) {
        let sink = Numbered(0)
        func removeAll(_ count: Int) -> Int {
            var list = SinkList()
            let keys = (0..<count).map { _ in
                let key = list.makeKey()
                list.add(sink, as: key)
                return key
            }
            let indices = order.indices(count)
            return processorTime { for index in indices { _ = list.remove(keys[index]) } }
        }
        #expect(isBelow(9, times: { removeAll(25_000) }) { removeAll(100_000) })
    }

    @Test(arguments: Order.allCases) func removalFromDisposableListTakesAmortisedConstantTime(_ order: Order) {
        let nothing = Disposables.create()
        func removeAll(_ count: Int) -> Int {
            var list = DisposableList()
            let keys = (0..<count).map { _ in list.append(nothing) }
            let indices = order.indices(count)
            return processorTime { for index in indices { _ = list.remove(keys[index]) } }
        }
        #expect(isBelow(9, times: { removeAll(25_000) }) { removeAll(100_000) })
    }
}

@Suite struct AscendingKeysTests {
    @Test func findsEveryKeyAndEveryGap() {
        var random = Generator(1)
        for count in [1, 2, 3, 10, 100] {
            for spread in [1, 2, 3, 50, 100_000] {
                var keys: [UInt64] = []
                for _ in 0..<count { keys.append((keys.last ?? 0) + 1 + UInt64(random.below(spread))) }
                let last = keys[count - 1]
                let wanted = spread > 50 ? keys.flatMap { [$0 - 1, $0, $0 + 1] } : Array(0...last + 1)
                for key in wanted {
                    let found = AscendingKeys.firstIndex(notBelow: key, in: 0..<count) { keys[$0] }
                    #expect(found == keys.firstIndex { $0 >= key } ?? count)
                }
            }
        }
        let none = AscendingKeys.firstIndex(notBelow: 1, in: 5..<5) { _ in 0 }
        #expect(none == 5)
    }

    /// Keys without gaps, keys with random gaps, and keys whose gaps mislead a proportional guess.
    @Test func searchReadsFewKeys() {
        var random = Generator(2)
        let count = 100_000
        let dense = (1...UInt64(count)).map { $0 }
        let halved = (1...UInt64(2 * count)).filter { _ in random.below(2) == 0 }
        let skewed = (0..<count).map { $0 < count / 2 ? UInt64($0) : UInt64($0) << 24 }
        for (keys, mean, most) in [(dense, 2.0, 2), (halved, 10, 36), (skewed, 38, 38)] {
            var (reads, highest) = (0, 0)
            let indices = Array(stride(from: 0, to: keys.count, by: 7))
            for index in indices {
                var own = 0
                let found = AscendingKeys.firstIndex(notBelow: keys[index], in: 0..<keys.count) {
                    own += 1
                    return keys[$0]
                }
                #expect(found == index)
                reads += own
                highest = max(highest, own)
            }
            #expect(Double(reads) / Double(indices.count) <= mean)
            #expect(highest <= most)
        }
    }
}

/// The order in which subscriptions are disposed.
enum Order: CaseIterable, Sendable {
    case ascending
    case descending
    case shuffled

    func indices(_ count: Int) -> [Int] {
        switch self {
        case .ascending: return Array(0..<count)
        case .descending: return (0..<count).reversed()
        case .shuffled:
            var random = Generator(3)
            return (0..<count).shuffled(using: &random)
        }
    }
}

/// A generator whose numbers are the same in every run.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    mutating func below(_ limit: Int) -> Int {
        Int(next() % UInt64(limit))
    }
}

/// The processor time that `body` takes on this thread, in nanoseconds.
func processorTime(_ body: () -> Void) -> Int {
    func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    let before = now()
    body()
    return now() - before
}

/// Whether one of three measurements of `measure` is less than `factor` times that of `reference`: others need the
/// machine, too.
func isBelow(_ factor: Int, times reference: () -> Int, _ measure: () -> Int) -> Bool {
    (0..<3).contains { _ in measure() < factor * reference() }
}
