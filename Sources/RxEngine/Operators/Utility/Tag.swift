extension ObservableType {
    /// Counts everything that a subscription makes under `name`, for ``Resources/tags``.
    ///
    ///     source         --1--2--|
    ///     tag("api")     --1--2--|
    ///
    /// Completes and fails with the source. Counts under the same name are added up. Without the package trait
    /// `TRACE_RESOURCES` they stay zero. A program that holds its accounts itself uses ``ObservableType/charged(to:)``.
    /// Events are delivered on the source's thread.
    public func tag(_ name: String) -> Observable<Element> {
        let source = asObservable()
        let account = Resources.account(taggedAs: name)
        return .endingInTailRun(.tag) { sink in account.charge { source.tailRun(sink) } }
    }
}

extension Resources {
    private static let lock = Lock()
    // Safe although marked unsafe: `lock` guards it.
    private nonisolated(unsafe) static var tagged: [String: WeakAccount] = [:]

    private struct WeakAccount {
        weak var account: Account?
    }

    /// The counts by the names given to ``ObservableType/tag(_:)``, in alphabetical order.
    ///
    /// A name is dropped when no sequence has it any more.
    public static var tags: [Account] {
        lock.locked { tagged.values.compactMap(\.account) }.sorted { $0.name < $1.name }
    }

    static func account(taggedAs name: String) -> Account {
        // Made before the lock is taken: if it is not used, it must not be deallocated under the lock.
        let new = Account(name)
        return lock.locked {
            if let known = tagged[name]?.account { return known }
            // This is rare: a tag is made with a sequence, not with a subscription.
            tagged = tagged.filter { $0.value.account != nil }
            tagged[name] = WeakAccount(account: new)
            return new
        }
    }
}
