extension ObservableType {
    /// This sequence, with everything that a subscription makes counted under a name, where ``Resources/tags`` finds
    /// it.
    ///
    ///     source         --1--2--|
    ///     tag("api")     --1--2--|
    ///
    /// All that carries the same name is counted together. Without the package trait `TRACE_RESOURCES` the counts stay
    /// zero. A program that holds its accounts itself uses ``ObservableType/charged(to:)``.
    public func tag(_ name: String) -> Observable<Element> {
        let source = asObservable()
        let account = Resources.account(taggedAs: name)
        return .handingSinkOn(.tag) { sink in account.charge { source.runLast(sink) } }
    }
}

extension Resources {
    private static let lock = Lock()
    // Unsafe in name only: touched under the lock.
    private nonisolated(unsafe) static var tagged: [String: WeakAccount] = [:]

    private struct WeakAccount {
        weak var account: Account?
    }

    /// What is counted under the names given by ``ObservableType/tag(_:)``, in alphabetical order. A name that nobody
    /// carries any more is gone.
    public static var tags: [Account] {
        lock.locked { tagged.values.compactMap(\.account) }.sorted { $0.name < $1.name }
    }

    static func account(taggedAs name: String) -> Account {
        // Made in advance: nothing of anybody's may go under the lock.
        let new = Account(name)
        return lock.locked {
            if let known = tagged[name]?.account { return known }
            // Rarely: a tag is made with a sequence, not with a subscription.
            tagged = tagged.filter { $0.value.account != nil }
            tagged[name] = WeakAccount(account: new)
            return new
        }
    }
}
