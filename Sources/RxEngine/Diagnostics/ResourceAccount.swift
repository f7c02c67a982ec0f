import Synchronization

extension Resources {
    /// The part of the counts that belongs to one concern of a program, such as a pipeline. Without the package trait
    /// `TRACE_RESOURCES` it stays empty.
    public final class Account: Sendable {
        static let everything = Account("")

        /// What the program calls the concern.
        public let name: String
        private let counts = Counts()

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
            counts[kind].load(ordering: .relaxed)
        }

        /// Runs `body` and charges to this account what it makes on this thread, for as long as that lives. What is
        /// made later, by the events of a subscription started in `body`, is not charged.
        public func charge<Result>(_ body: () throws -> Result) rethrows -> Result {
            let thread = ThreadState.current
            let before = thread.account
            thread.account = self
            defer { thread.account = before }
            return try body()
        }

        func add(_ difference: Int, of kind: Kind) {
            counts[kind].wrappingAdd(difference, ordering: .relaxed)
        }
    }

    /// One counter a kind.
    private struct Counts: ~Copyable, Sendable {
        private let observables = Atomic(0)
        private let subscriptions = Atomic(0)
        private let disposables = Atomic(0)
        private let subjects = Atomic(0)
        private let timers = Atomic(0)
        private let others = Atomic(0)

        subscript(kind: Kind) -> Atomic<Int> {
            _read {
                switch kind {
                case .observable: yield observables
                case .subscription: yield subscriptions
                case .disposable: yield disposables
                case .subject: yield subjects
                case .timer: yield timers
                case .other: yield others
                }
            }
        }
    }
}

extension ObservableType {
    /// This sequence, with everything that a subscription makes charged to `account`.
    public func charged(to account: Resources.Account) -> Observable<Element> {
        let source = asObservable()
        return .source { sink in account.charge { source.run(sink) } }
    }
}
