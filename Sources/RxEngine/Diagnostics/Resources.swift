import Synchronization

/// What is alive: exact counts of the engine's objects, kept where the package trait `TRACE_RESOURCES` is on, and zero
/// where it is off.
///
/// A program whose counts come back to where they were has leaked no subscription.
public enum Resources {
    /// The kinds that are counted apart.
    public enum Kind: Int, CaseIterable, Sendable {
        /// Observables, operators included.
        case observable
        /// Running subscriptions, those that operators make included.
        case subscription
        /// Disposables that are not subscriptions.
        case disposable
        /// Subjects.
        case subject
        /// Timers that are armed.
        case timer
        /// What a program counts itself.
        case other
    }
}

extension Resources {
    /// Whether anything is counted: the package trait `TRACE_RESOURCES` is on.
    public static var isTraced: Bool {
        #if TRACE_RESOURCES
        true
        #else
        false
        #endif
    }

    /// How many objects of all kinds are alive.
    public static var total: Int32 {
        Int32(clamping: Account.everything.total)
    }

    /// How many objects of `kind` are alive.
    public static func count(of kind: Kind) -> Int {
        Account.everything.count(of: kind)
    }

    /// Counts a resource of the program's own.
    ///
    /// - Returns: the new total.
    @discardableResult
    public static func incrementTotal() -> Int32 {
        Account.everything.add(1, of: .other)
        return total
    }

    /// Counts the end of a resource of the program's own.
    ///
    /// - Returns: the new total.
    @discardableResult
    public static func decrementTotal() -> Int32 {
        Account.everything.add(-1, of: .other)
        return total
    }
}
