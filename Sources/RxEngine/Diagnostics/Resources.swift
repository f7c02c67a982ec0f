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
        Int32(clamping: live(Kind.allCases.flatMap(\.slots)) + others.load(ordering: .relaxed))
    }

    /// How many objects of `kind` are alive.
    public static func count(of kind: Kind) -> Int {
        kind == .other ? others.load(ordering: .relaxed) : live(kind.slots)
    }

    /// How many observables of `operation` are alive, and how many links of running chains.
    public static func counts(of operation: Operator) -> OperatorCounts {
        OperatorCounts(
            observables: live([Slot(observableOf: operation)]), runs: live([Slot(runOf: operation)]))
    }

    /// What is alive of one operator.
    public struct OperatorCounts: Equatable, Sendable {
        /// Its observables.
        public let observables: Int
        /// Its links in running chains; a source has none.
        public let runs: Int

        /// Counts to compare with.
        public init(observables: Int, runs: Int) {
            self.observables = observables
            self.runs = runs
        }
    }

    /// Counts a resource of the program's own.
    ///
    /// - Returns: the new total.
    @discardableResult
    public static func incrementTotal() -> Int32 {
        others.wrappingAdd(1, ordering: .relaxed)
        return total
    }

    /// Counts the end of a resource of the program's own.
    ///
    /// - Returns: the new total.
    @discardableResult
    public static func decrementTotal() -> Int32 {
        others.wrappingSubtract(1, ordering: .relaxed)
        return total
    }

    private static let others = Atomic(0)

    private static func live(_ slots: [Slot]) -> Int {
        #if TRACE_RESOURCES
        Threads.sum(slots)
        #else
        0
        #endif
    }
}
