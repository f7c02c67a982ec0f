/// A sequence whose subscribers share one run, which ``connect()`` starts.
public protocol ConnectableObservableType<Element>: ObservableType {
    /// Starts the run, unless it has started.
    ///
    /// - Returns: the disposable that stops the run. Dropping it stops nothing.
    func connect() -> any Disposable
}

// Unchecked: immutable.
/// A sequence whose subscribers share one run, which ``connect()`` starts.
///
///     source                          --1--2--3--|
///     publish(), connected at .       ...1--2--3--|
///
/// Subscribers are called on the thread that the source emits on. See ``ObservableType/publish()``,
/// ``ObservableType/replay(_:)`` and ``ObservableType/multicast(makeSubject:)``.
public final class ConnectableObservable<Element>: Observable<Element>, ConnectableObservableType, @unchecked Sendable {
    let slot: ConnectionSlot

    @usableFromInline
    init(_ operation: Operator, _ slot: ConnectionSlot) {
        self.slot = slot
        super.init(operation)
    }

    /// Adds a subscriber, which does not start the run.
    ///
    /// It receives the events of the run that is in progress or, if there is none, of the next one.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        slot.connection().add(sink) ?? Disposables.create()
    }

    /// Starts the run, unless it has started.
    ///
    /// The source is subscribed to on this thread. When it completes or fails, every subscriber receives that, and the run
    /// is over: a further call starts another one.
    ///
    /// - Returns: the disposable that stops the run, the same one for every call during a run. Dropping it stops
    ///   nothing. Subscribers receive no event when the run is stopped; later subscribers wait for the next run.
    public func connect() -> any Disposable {
        connect(for: nil)
    }

    /// Starts the run on behalf of the subscription `initiator`; see ``ConnectionSlot/connect(_:for:)``.
    func connect(for initiator: LiveSubscription?) -> any Disposable {
        let connection = slot.connection()
        Trampoline.enter { slot.connect(connection, for: initiator) }
        return slot.disposable(for: connection)
    }
}
