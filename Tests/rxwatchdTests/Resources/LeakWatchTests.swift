import RxEngine
import Testing

@testable import RxPipelines
@testable import rxwatchd

struct LeakWatchTests {
    /// With a prediction of 5 and an allowance of 2.
    @Test(arguments: [
        ([5, 5, 5, 5, 5, 5], []),
        ([5, 7, 7, 7, 7, 7], []),
        ([5, 8, 8, 8, 8, 8], [3]),
        ([5, 8, 8, 5, 8, 8], []),
        ([5, 8, 9, 10, 5, 8, 8, 8], [3, 7]),
        ([5, 0, 0, 0, 0, 5], []),
        // The prediction counts, and not how few there were at first.
        ([0, 7, 7, 7, 7], []), ([0, 8, 8, 8], [3]),
    ])
    func threeConsecutiveHighCountsAreReported(counts: [Int], looks: [Int]) {
        var watch = LeakWatch()
        let account = Resources.Account("p")
        var found: [Int] = []
        for (index, count) in counts.enumerated() {
            let leaks = watch.sample([.init(account, total: 5, allowance: 2)], count: { _ in count })
            #expect(leaks.allSatisfy { $0.account === account && $0.maximum == 7 })
            if !leaks.isEmpty { found.append(index) }
        }
        #expect(found == looks)
    }

    /// A leak is known from the third high count until the first one that is not.
    @Test func leaksAreKnownUntilCountIsLower() {
        var watch = LeakWatch()
        let account = Resources.Account("p")
        let known = [5, 8, 8, 8, 9, 7, 8].map { count in
            _ = watch.sample([.init(account, total: 5, allowance: 2)], count: { _ in count })
            return watch.leaking.map { "\($0.account.name) \($0.maximum)" }
        }
        #expect(known == [[], [], [], ["p 7"], ["p 7"], [], []])
        _ = watch.sample([])
        #expect(watch.leaking.isEmpty)
    }

    /// Nodes of two schedulers that a reload connects need more than the plan predicts.
    @Test func higherFirstCountRaisesLimit() {
        var watch = LeakWatch()
        let account = Resources.Account("p")
        func sample(_ count: Int) -> Int {
            watch.sample([.init(account, total: 5, allowance: 2)], count: { _ in count }).count
        }
        func maximum(_ predicted: Int, _ allowance: Int) -> Int {
            watch.maximum(.init(account, total: predicted, allowance: allowance))
        }
        #expect(maximum(5, 2) == 7)
        #expect([8, 10, 10, 10].map(sample) == [0, 0, 0, 0] && maximum(5, 2) == 10)
        // A reload has changed the sinks since the last sample.
        #expect(maximum(5, 9) == 17 && maximum(12, 2) == 14)
        #expect([11, 11, 11].map(sample) == [0, 0, 1])
    }

    @Test func replacedPipelineRestartsCount() {
        var watch = LeakWatch()
        for count in [1, 100, 100, 100] {
            let account = Resources.Account("p\(count)")
            #expect(watch.sample([.init(account, total: 0, allowance: 0)], count: { _ in count }).isEmpty)
        }
    }
}
