extension Resources {
    /// The part of the counts that belongs to one concern of a program, such as a pipeline. Without the package trait
    /// `TRACE_RESOURCES` it stays empty.
    public final class Account: Sendable {
        /// What the program calls the concern.
        public let name: String
        let tally = Tally()

        /// An account with nothing on it.
        public init(_ name: String) {
            self.name = name
        }

        /// How many live objects of all kinds are on this account.
        public var total: Int {
            Kind.allCases.reduce(0) { $0 + count(of: $1) }
        }

        /// How many live objects of `kind` are on this account.
        public func count(of kind: Kind) -> Int {
            kind.slots.reduce(0) { $0 + tally[$1] }
        }

        /// How many live observables of `operation` are on this account, and how many links of running chains.
        public func counts(of operation: Operator) -> OperatorCounts {
            OperatorCounts(
                observables: tally[Slot(observableOf: operation)], runs: tally[Slot(runOf: operation)])
        }

        /// Runs `body` and charges to this account what it makes on this thread, for as long as that lives. What is
        /// made later, by the events of a subscription started in `body`, is not charged.
        public func charge<Result>(_ body: () throws -> Result) rethrows -> Result {
            let thread = ThreadState.current
            let before = thread.pointee.account
            thread.pointee.account = self
            defer { thread.pointee.account = before }
            return try body()
        }

        deinit {
            tally.free()
        }
    }
}

extension ObservableType {
    /// This sequence, with everything that a subscription makes charged to `account`.
    public func charged(to account: Resources.Account) -> Observable<Element> {
        let source = asObservable()
        return .handingSinkOn(.custom) { sink in account.charge { source.runLast(sink) } }
    }
}
