import Synchronization

/// Exact counts of the engine's live objects.
///
/// They are kept if the package trait `TRACE_RESOURCES` is on, and are zero otherwise. A program whose counts return to
/// an earlier value has not leaked a subscription since.
public enum Resources {
    /// The kinds of objects that are counted separately.
    public enum Kind: Int, CaseIterable, Sendable {
        /// Observables, including operators.
        case observable
        /// Running subscriptions, including those that operators make.
        case subscription
        /// Disposables that are not subscriptions.
        case disposable
        /// Subjects.
        case subject
        /// Timers that are scheduled.
        case timer
        /// Resources that the program counts itself.
        case other
    }
}

extension Resources {
    /// Whether objects are counted: the package trait `TRACE_RESOURCES` is on.
    public static var isTraced: Bool {
        #if TRACE_RESOURCES
        true
        #else
        false
        #endif
    }

    /// The number of live objects of all kinds.
    ///
    /// - Complexity: Linear in the number of threads and kinds.
    public static var total: Int32 {
        Int32(clamping: live(Kind.allCases.flatMap(\.slots)) + others.load(ordering: .relaxed))
    }

    /// Returns the number of live objects of `kind`.
    ///
    /// - Complexity: Linear in the number of threads.
    public static func count(of kind: Kind) -> Int {
        kind == .other ? others.load(ordering: .relaxed) : live(kind.slots)
    }

    /// Returns the number of live observables of `operation`, and of its links in running chains.
    ///
    /// - Complexity: Linear in the number of threads.
    public static func counts(of operation: Operator) -> OperatorCounts {
        OperatorCounts(
            observables: live([Slot(observableOf: operation)]), runs: live([Slot(runOf: operation)]))
    }

    /// The numbers of live objects of one operator.
    public struct OperatorCounts: Equatable, Sendable {
        /// The number of observables.
        public let observables: Int
        /// The number of links in running chains; a source has none.
        public let runs: Int

        /// Makes counts to compare with.
        public init(observables: Int, runs: Int) {
            self.observables = observables
            self.runs = runs
        }
    }

    /// Counts a resource of the program.
    ///
    /// - Returns: the new total.
    @discardableResult
    public static func incrementTotal() -> Int32 {
        others.wrappingAdd(1, ordering: .relaxed)
        return total
    }

    /// Stops counting a resource of the program.
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
