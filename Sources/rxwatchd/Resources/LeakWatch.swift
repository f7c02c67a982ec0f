import RxEngine

/// Notices a pipeline that holds more and more, though its steps are such that it should not.
///
/// What a pipeline holds when it has been started is what its graph makes. A sink at work holds a little more; a
/// restart adds nothing that stays. A pipeline that is above that at three looks in a row leaks.
struct LeakWatch {
    /// What may be there at a look.
    struct Expectation {
        let account: Resources.Account
        /// How many more there may be than at first.
        let slack: Int
    }

    private struct Seen {
        /// Held, so that no other takes its identity.
        let account: Resources.Account
        let first: Int
        var timesAbove = 0
    }

    /// How many looks in a row it takes.
    static let looks = 3

    private var seen: [ObjectIdentifier: Seen] = [:]

    /// Looks at what is there now.
    ///
    /// - Returns: those that leak, each once until it is as it should be again, and how many it should have at most.
    mutating func look(
        _ expectations: [Expectation], count: (Resources.Account) -> Int = { $0.count(of: .subscription) }
    ) -> [(account: Resources.Account, most: Int)] {
        var found: [(Resources.Account, Int)] = []
        var now: [ObjectIdentifier: Seen] = [:]
        for expectation in expectations {
            let identity = ObjectIdentifier(expectation.account)
            let count = count(expectation.account)
            var seen = seen[identity] ?? Seen(account: expectation.account, first: count)
            let most = seen.first + expectation.slack
            seen.timesAbove = count > most ? seen.timesAbove + 1 : 0
            if seen.timesAbove == Self.looks { found.append((expectation.account, most)) }
            now[identity] = seen
        }
        // Those of former generations are removed.
        seen = now
        return found
    }
}
