extension ConnectableObservableType {
    /// The run goes on as long as anyone is subscribed: the first subscriber connects, and when the last leaves the run
    /// is stopped.
    ///
    /// The first subscriber is in place before the run starts, so it misses nothing of a synchronous source; one that
    /// has had enough by then starts none. After the end the next subscriber connects again. Nobody is called under a
    /// lock, and whoever comes just as the run ends gets that end or the next run. (Of a connectable observable that is
    /// not the engine's it cannot be seen which: there, a subscriber that comes at that very time on another thread may
    /// wait until the next one connects.)
    public func refCount() -> Observable<Element> {
        if let own = self as? ConnectableObservable<Element> { return RefCounted(.refCount, own.stages) }
        return RefCounted(.refCount, Stages { [self] in ForeignStage(self) })
    }
}

// Unchecked: immutable.
/// Stages that are kept going by those who follow.
@usableFromInline
final class RefCounted<Element>: Observable<Element>, @unchecked Sendable {
    private let stages: Stages

    @usableFromInline
    init(_ operation: Operator, _ stages: Stages) {
        self.stages = stages
        super.init(operation)
    }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        let stage = stages.follow()
        guard let follower = stage.admitFollower(sink, stages) else {
            stages.leave(stage)
            return Disposables.create()
        }
        // Whoever has had enough of what it missed need not start a run for itself alone.
        guard sink.live.isActive else {
            follower.dispose()
            return Disposables.create()
        }
        stages.connect(stage, for: sink.live)
        return follower
    }
}

// Unchecked: immutable but for what its superclass guards.
/// A stage of a connectable observable of someone else's.
private final class ForeignStage<Connectable: ConnectableObservableType>: Stage,
    @unchecked Sendable
{
    private let connectable: Connectable

    init(_ connectable: Connectable) {
        self.connectable = connectable
    }

    override func admitFollower(_ sink: AnySink, _ stages: Stages) -> (any Disposable)? {
        let sink = unsafeDowncast(sink, to: Sink<Connectable.Element>.self)
        return follow(connectable.asObservable().run(EndWatch(to: sink, self, stages)), stages)
    }

    override func run(for stages: Stages) -> any Disposable {
        connectable.connect()
    }

    /// Sees the run end.
    private final class EndWatch: OperatorSink<Connectable.Element, Connectable.Element> {
        private let stage: ForeignStage
        private let stages: Stages

        init(to downstream: Sink<Connectable.Element>, _ stage: ForeignStage, _ stages: Stages) {
            self.stage = stage
            self.stages = stages
            super.init(.refCount, to: downstream)
        }

        override func next(_ element: Connectable.Element) {
            downstream.next(element)
        }

        override func error(_ error: any Error) {
            stages.close(stage)
            super.error(error)
            stage.live.dispose()
        }

        override func completed() {
            stages.close(stage)
            super.completed()
            stage.live.dispose()
        }
    }
}
