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
    @inlinable
    public func share(
        replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected
    ) -> Observable<Element> {
        precondition(replay >= 0, "a share replays a number of elements, not \(replay)")
        let source = asObservable()
        switch scope {
        case .whileConnected where replay == 0:
            return RefCounted(.share, Stages { PublishStage(of: source) })
        case .whileConnected:
            return RefCounted(
                .share, Stages { ReplayStage(of: source, ReplayAudience(capacity: replay), isItsOwn: true) })
        case .forever:
            let audience = ReplayAudience<Element>(capacity: replay)
            return RefCounted(.share, Stages { ReplayStage(of: source, audience, isItsOwn: false) })
        }
    }
}
