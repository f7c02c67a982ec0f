import RxEngine
import RxPipelines

/// Detects pipelines whose number of subscriptions grows, although their steps are steady.
///
/// After its start, a pipeline has the subscriptions that its plan predicts. A working sink has a few more; a restart of
/// the steps adds none that stay. A pipeline that exceeds this at three samples in a row leaks.
struct LeakWatch {
    /// The number of live objects that an account is compared with.
    private struct Baseline {
        /// Retained, so that no other account gets its identity.
        let account: Resources.Account
        /// The number at the first sample: a reload may connect kept nodes of two schedulers, which takes more than the
        /// plan alone predicts.
        let first: Int
        /// The limit at the last sample.
        var maximum = 0
        var timesAbove = 0
    }

    /// The number of samples above the limit, in a row, that make a leak.
    static let samples = 3

    private var baselines: [ObjectIdentifier: Baseline] = [:]

    /// Compares the numbers of subscriptions with the limits.
    ///
    /// - Returns: the accounts that leak, with their limits. Each is returned once, and again if it has recovered
    ///   meanwhile.
    mutating func sample(
        _ expectations: [ExpectedSubscriptions], count: (Resources.Account) -> Int = { $0.count(of: .subscription) }
    ) -> [(account: Resources.Account, maximum: Int)] {
        var found: [(Resources.Account, Int)] = []
        var now: [ObjectIdentifier: Baseline] = [:]
        for expectation in expectations {
            let identity = ObjectIdentifier(expectation.account)
            let count = count(expectation.account)
            var baseline = baselines[identity] ?? Baseline(account: expectation.account, first: count)
            let maximum = Self.maximum(expectation, baseline)
            baseline.maximum = maximum
            baseline.timesAbove = count > maximum ? baseline.timesAbove + 1 : 0
            if baseline.timesAbove == Self.samples { found.append((expectation.account, maximum)) }
            now[identity] = baseline
        }
        // Accounts of previous generations are removed.
        baselines = now
        return found
    }

    /// The accounts that leak at the last sample, by their names, with their limits.
    var leaking: [(account: Resources.Account, maximum: Int)] {
        baselines.values.filter { $0.timesAbove >= Self.samples }
            .map { (account: $0.account, maximum: $0.maximum) }
            .sorted { $0.account.name < $1.account.name }
    }

    /// The most subscriptions that a pipeline may have.
    func maximum(_ expectation: ExpectedSubscriptions) -> Int {
        Self.maximum(expectation, baselines[ObjectIdentifier(expectation.account)])
    }

    private static func maximum(_ expectation: ExpectedSubscriptions, _ baseline: Baseline?) -> Int {
        max(expectation.total, baseline?.first ?? 0) + expectation.allowance
    }
}
