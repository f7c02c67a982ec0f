extension ConnectableObservableType {
    /// Connects when the first subscriber subscribes, and stops the run when the last one unsubscribes.
    ///
    ///     source                      --1--2--3--4-->
    ///     publish().refCount()        --1--2--3--4-->
    ///     subscribed at .                  .--3--4-->
    ///
    /// The first subscriber is added before the run starts, so it misses no element of a synchronous source; if it is
    /// disposed by then, no run starts. After the run has completed or failed, the next subscriber connects again. No
    /// subscriber is called under a lock. One that subscribes while the run ends receives that end or the next run. (If
    /// the connectable observable is not the engine's own, it cannot see which: a subscriber that subscribes at that
    /// time on another thread may wait until the next one connects.)
    /// Subscribers are called by the connectable observable, on its threads.
    ///
    /// - Returns: the shared sequence.
    public func refCount() -> Observable<Element> {
        if let own = self as? ConnectableObservable<Element> { return RefCounted(.refCount, own.slot) }
        return RefCounted(.refCount, ConnectionSlot { [self] in ForeignConnection(self) })
    }
}

// Unchecked: immutable.
/// An observable whose subscribers keep a shared run going.
@usableFromInline
final class RefCounted<Element>: Observable<Element>, @unchecked Sendable {
    private let slot: ConnectionSlot

    @usableFromInline
    init(_ operation: Operator, _ slot: ConnectionSlot) {
        self.slot = slot
        super.init(operation)
    }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        let connection = slot.retainedConnection()
        guard let subscriber = connection.addCounted(sink, slot) else {
            slot.release(connection)
            return Disposables.create()
        }
        // A subscriber that the replayed elements have satisfied, for example with `take(1)`, starts no run.
        guard sink.live.isActive else {
            subscriber.dispose()
            return Disposables.create()
        }
        slot.connect(connection, for: sink.live)
        return subscriber
    }
}

// Unchecked: immutable apart from the state that its superclass guards.
/// A connection of a connectable observable that is not the engine's own.
private final class ForeignConnection<Connectable: ConnectableObservableType>: Connection,
    @unchecked Sendable
{
    private let connectable: Connectable

    init(_ connectable: Connectable) {
        self.connectable = connectable
    }

    override func addCounted(_ sink: AnySink, _ slot: ConnectionSlot) -> (any Disposable)? {
        let sink = unsafeDowncast(sink, to: Sink<Connectable.Element>.self)
        return countedSubscription(connectable.asObservable().run(EndObservingSink(to: sink, self, slot)), slot)
    }

    override func run(for slot: ConnectionSlot) -> any Disposable {
        connectable.connect()
    }

    /// A sink that closes the connection when the run ends.
    private final class EndObservingSink: OperatorSink<Connectable.Element, Connectable.Element> {
        private let connection: ForeignConnection
        private let slot: ConnectionSlot

        init(to downstream: Sink<Connectable.Element>, _ connection: ForeignConnection, _ slot: ConnectionSlot) {
            self.connection = connection
            self.slot = slot
            super.init(.refCount, to: downstream)
        }

        override func next(_ element: Connectable.Element) {
            downstream.next(element)
        }

        override func error(_ error: any Error) {
            slot.close(connection)
            super.error(error)
            connection.live.dispose()
        }

        override func completed() {
            slot.close(connection)
            super.completed()
            connection.live.dispose()
        }
    }
}
