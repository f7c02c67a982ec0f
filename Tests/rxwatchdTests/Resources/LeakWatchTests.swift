import RxEngine
import Testing

@testable import rxwatchd

struct LeakWatchTests {
    @Test(arguments: [
        ([5, 5, 5, 5, 5, 5], []),
        ([5, 7, 7, 7, 7, 7], []),
        ([5, 8, 8, 8, 8, 8], [3]),
        ([5, 8, 8, 5, 8, 8], []),
        ([5, 8, 9, 10, 5, 8, 8, 8], [3, 7]),
        ([5, 0, 0, 0, 0, 5], []),
    ])
    func threeConsecutiveHighCountsAreReported(counts: [Int], looks: [Int]) {
        var watch = LeakWatch()
        let account = Resources.Account("p")
        var found: [Int] = []
        for (index, count) in counts.enumerated() {
            let leaks = watch.sample([.init(account: account, allowance: 2)], count: { _ in count })
            #expect(leaks.allSatisfy { $0.account === account && $0.maximum == 7 })
            if !leaks.isEmpty { found.append(index) }
        }
        #expect(found == looks)
    }

    @Test func replacedPipelineRestartsCount() {
        var watch = LeakWatch()
        for count in [1, 100, 100, 100] {
            let account = Resources.Account("p\(count)")
            #expect(watch.sample([.init(account: account, allowance: 0)], count: { _ in count }).isEmpty)
        }
    }
}
