/// How long a shared sequence remembers.
public enum SubjectLifetimeScope: Sendable {
    /// As long as anyone is subscribed: the first subscriber after the last one left, or after the end, starts anew.
    case whileConnected
    /// As long as the observable lives: a later connection adds to what is remembered, and after the end everyone gets
    /// what is remembered and the end.
    case forever
}

extension ObservableType {
    /// One run of this sequence for all subscribers, started by the first and stopped when the last leaves; newcomers
    /// first get the last `replay` elements.
    ///
    ///     source                          --1--2--3--4-->
    ///     share(replay: 1), first         --1--2--3--4-->
    ///     share(replay: 1), second              .2-3--4-->
    ///
    /// The first subscriber is in place before the run starts, so it misses nothing of a synchronous source. Nobody is
    /// called under a lock: a newcomer that is still being told what it missed gets what comes meanwhile afterwards.
    public func share(
        replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected
    ) -> Observable<Element> {
        SharedObservable(asObservable(), replay: replay, scope)
    }
}

// Unchecked: what changes is behind the lock.
private final class SharedObservable<Element>: Observable<Element>, @unchecked Sendable {
    private let upstream: Observable<Element>
    private let lock = Lock()
    private var state: ShareState<Element>

    init(_ upstream: Observable<Element>, replay: Int, _ scope: SubjectLifetimeScope) {
        precondition(replay >= 0, "a share replays a number of elements, not \(replay)")
        self.upstream = upstream
        state = ShareState(replay: replay, scope)
        super.init(.share)
    }

    deinit {
        let forgotten = state.forget()
        withExtendedLifetime(forgotten) {}
    }

    override func run(_ sink: Sink<Element>) -> any Disposable {
        let (key, connection) = lock.locked { state.join(sink) }
        while let missed = lock.locked({ state.catchUp(key) }) {
            for event in missed { sink.on(event) }
        }
        if let connection {
            // Whoever has had enough of what it missed need not start a run for itself alone.
            if !sink.live.isActive, leave(key) { return Disposables.create() }
            connection.attach(upstream.run(ConnectionSink(self, connection)))
        }
        return Membership(shared: self, key: key)
    }

    /// - Returns: whether the last one left, so that the run is over.
    @discardableResult
    private func leave(_ key: SinkList.Key) -> Bool {
        let leaving = lock.locked { state.leave(key) }
        leaving.connection?.dispose()
        return withExtendedLifetime(leaving.remains) { leaving.connection != nil }
    }

    /// Where the shared run's events arrive.
    private final class ConnectionSink: Sink<Element> {
        private let shared: SharedObservable
        /// Room for the element that the next one drives out.
        private let evicted = UnsafeMutablePointer<Element>.allocate(capacity: 1)

        init(_ shared: SharedObservable, _ connection: LiveSubscription) {
            self.shared = shared
            super.init(connection)
        }

        deinit {
            evicted.deallocate()
        }

        override func next(_ element: Element) {
            let (list, hasEvicted) = shared.lock.locked {
                shared.state.next(element, from: live, evicting: evicted)
            }
            if hasEvicted { _ = evicted.move() }
            list.receiver(of: Element.self)?.next(element)
        }

        override func error(_ error: any Error) {
            stop(.error(error))
        }

        override func completed() {
            stop(.completed)
        }

        private func stop(_ end: Termination) {
            guard live.end() else { return }
            let (list, remains) = shared.lock.locked { shared.state.stop(with: end, from: live) }
            list.stop(with: end)
            live.dispose()
            withExtendedLifetime(remains) {}
        }
    }

    private struct Membership: Disposable {
        let shared: SharedObservable
        let key: SinkList.Key

        func dispose() {
            shared.leave(key)
        }
    }
}
