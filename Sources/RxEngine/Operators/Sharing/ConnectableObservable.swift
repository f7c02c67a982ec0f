/// A sequence that does nothing until it is told to ``connect()``, and is then one run for all its subscribers.
public protocol ConnectableObservableType<Element>: ObservableType {
    /// Starts the run, unless it is going on.
    ///
    /// - Returns: what stops it.
    func connect() -> any Disposable
}

// Unchecked: immutable.
/// A sequence that does nothing until it is told to ``connect()``, and is then one run for all its subscribers.
///
///     source                          --1--2--3--|
///     publish(), connected at .       ...1--2--3--|
///
/// See ``ObservableType/publish()``, ``ObservableType/replay(_:)`` and ``ObservableType/multicast(makeSubject:)``.
public final class ConnectableObservable<Element>: Observable<Element>, ConnectableObservableType, @unchecked Sendable {
    let stages: Stages

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
    /// - Returns: what stops it: the same object for as long as it is going on. Subscribers receive nothing when it is
    ///   stopped; those who subscribe after that wait for the next.
    public func connect() -> any Disposable {
        connect(for: nil)
    }

    /// The same, for the subscriber that `starter` is the subscription of.
    func connect(for starter: LiveSubscription?) -> any Disposable {
        let stage = stages.present()
        Trampoline.enter { stages.connect(stage, for: starter) }
        return stages.connection(to: stage)
    }
}
