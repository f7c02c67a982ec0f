extension Resources {
    /// The counts that belong to one part of a program, such as a pipeline.
    ///
    /// Without the package trait `TRACE_RESOURCES` they stay zero.
    public final class Account: Sendable {
        /// The program's name for this part.
        public let name: String
        let tally = Tally()

        /// Makes an empty account.
        public init(_ name: String) {
            self.name = name
        }

        /// The number of live objects of all kinds on this account.
        public var total: Int {
            Kind.allCases.reduce(0) { $0 + count(of: $1) }
        }

        /// Returns the number of live objects of `kind` on this account.
        public func count(of kind: Kind) -> Int {
            kind.slots.reduce(0) { $0 + tally[$1] }
        }

        /// Returns the number of live observables of `operation` on this account, and of its links in running chains.
        public func counts(of operation: Operator) -> OperatorCounts {
            OperatorCounts(
                observables: tally[Slot(observableOf: operation)], runs: tally[Slot(runOf: operation)])
        }

        /// Runs `body` and charges the objects that it makes on this thread to this account, for as long as they live.
        ///
        /// Objects that are made later, by the events of a subscription that `body` started, are not charged.
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
    /// Charges everything that a subscription makes to `account`.
    ///
    ///     source                  --1--2--|
    ///     charged(to: account)    --1--2--|
    ///
    /// Completes and fails with the source.
    /// Events are delivered on the source's thread.
    public func charged(to account: Resources.Account) -> Observable<Element> {
        let source = asObservable()
        return .endingInTailRun(.custom) { sink in account.charge { source.tailRun(sink) } }
    }
}
