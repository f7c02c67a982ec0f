/// A sequence that does nothing until it is told to ``connect()``, and is then one run for all its subscribers.
public protocol ConnectableObservableType<Element>: ObservableType {
    /// Starts the run, unless it is going on.
    ///
    /// - Returns: what stops it.
    func connect() -> any Disposable
}

// Unchecked: what changes is behind the lock.
/// A sequence that does nothing until it is told to ``connect()``, and is then one run for all its subscribers.
///
///     source                          --1--2--3--|
///     publish(), connected at .       ...1--2--3--|
///
/// See ``ObservableType/publish()``, ``ObservableType/replay(_:)`` and ``ObservableType/multicast(makeSubject:)``.
public final class ConnectableObservable<Element>: Observable<Element>, ConnectableObservableType, @unchecked Sendable {
    let stages: Stages
    private let lock = Lock()
    private weak var connection: Connection?

    @usableFromInline
    init(_ operation: Operator, _ stages: Stages) {
        self.stages = stages
        super.init(operation)
    }

    /// Adds a subscriber, which starts nothing.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        stages.present().admit(sink) ?? Disposables.create()
    }

    /// Starts the run, unless it is going on.
    ///
    /// - Returns: what stops it: the same object for as long as it is going on. Subscribers are not told when it is stopped;
    ///   those who subscribe after that wait for the next.
    public func connect() -> any Disposable {
        let stage = stages.present()
        Trampoline.enter { stages.connect(stage) }
        return connection(to: stage)
    }

    private func connection(to stage: Stage) -> Connection {
        let new = Connection(stages, stage)
        let last = lock.locked {
            let last = connection
            if last?.stage !== stage { connection = new }
            return last
        }
        if let last, last.stage === stage { return last }
        return new
    }

    private final class Connection: Cancelable {
        let stages: Stages
        let stage: Stage

        init(_ stages: Stages, _ stage: Stage) {
            self.stages = stages
            self.stage = stage
        }

        var isDisposed: Bool { stage.live.isDisposed }

        func dispose() {
            stages.close(stage)
            stage.live.dispose()
        }
    }
}
