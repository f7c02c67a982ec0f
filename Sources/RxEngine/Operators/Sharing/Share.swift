/// How long a shared sequence keeps its replay buffer.
public enum SubjectLifetimeScope: Sendable {
    /// For one run. The first subscriber after the last one unsubscribed, or after the end, starts a new run with an
    /// empty buffer.
    case whileConnected
    /// For the lifetime of the observable. A later run adds to the buffer. After the end, every subscriber receives the
    /// buffered elements and the terminal event.
    case forever
}

extension ObservableType {
    /// Shares one run of this sequence among all subscribers, which first receive its last `replay` elements.
    ///
    ///     source                          --1--2--3--4-->
    ///     share(replay: 1), first         --1--2--3--4-->
    ///     share(replay: 1), second              .2-3--4-->
    ///
    /// The first subscriber starts the run, and the run stops when the last one unsubscribes. The first subscriber is
    /// added before the run starts, so it misses no element of a synchronous source. After the sequence has completed
    /// or failed, `scope` determines what the next subscriber receives.
    ///
    /// Subscribers are called on the thread that this sequence emits on, and not under a lock. A new subscriber
    /// receives the replayed elements, and those that arrive meanwhile, on the thread that subscribes.
    ///
    /// - Parameters:
    ///   - replay: the number of elements to replay; a negative one traps.
    ///   - scope: how long the replay buffer is kept.
    /// - Returns: the shared sequence.
    /// - Complexity: O(*n*) for each element, with *n* subscribers; subscribing takes time in proportion to the
    ///   replayed elements.
    @inlinable
    public func share(
        replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected
    ) -> Observable<Element> {
        precondition(replay >= 0, "share(replay:scope:): replay must not be negative, but is \(replay)")
        switch scope {
        case .whileConnected: return sharedWhileConnected(replay: replay)
        case .forever:
            let source = asObservable()
            let subscribers = ReplaySubscriberList<Element>(capacity: replay)
            return RefCounted(
                .share, ConnectionSlot { ReplayConnection(of: source, subscribers, ownsSubscribers: false) })
        }
    }

    /// Shares runs, each with a replay buffer of its own.
    ///
    /// - Parameter grace: how long a run continues without subscribers; `nil` if it stops at once.
    @inlinable
    func sharedWhileConnected(replay: Int, grace: GracePeriod? = nil) -> Observable<Element> {
        let source = asObservable()
        if replay == 0 { return RefCounted(.share, ConnectionSlot(grace) { PublishConnection(of: source) }) }
        return RefCounted(
            .share,
            ConnectionSlot(grace) {
                ReplayConnection(of: source, ReplaySubscriberList(capacity: replay), ownsSubscribers: true)
            })
    }
}
