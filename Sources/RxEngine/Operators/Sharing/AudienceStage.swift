// Unchecked: as its superclass.
/// A stage that tells an audience of the engine's own.
@usableFromInline
class AudienceStage<Element>: Stage, @unchecked Sendable {
    fileprivate final let source: Observable<Element>
    private let audience: Audience
    /// Whether the next stage has another audience.
    fileprivate final let ownsAudience: Bool

    fileprivate init(of source: Observable<Element>, _ audience: Audience, isItsOwn: Bool) {
        self.source = source
        self.audience = audience
        ownsAudience = isItsOwn
    }

    deinit {
        if ownsAudience { Unmanaged.passUnretained(audience)._withUnsafeGuaranteedRef { $0.abandon() } }
    }

    /// Puts `sink` into the audience.
    fileprivate func join(_ sink: Sink<Element>) -> SinkList.Key? {
        audience.admit(sink, to: self)
    }

    override final func admit(_ sink: AnySink) -> (any Disposable)? {
        join(unsafeDowncast(sink, to: Sink<Element>.self)).map(audience.membership)
    }

    override final func admitFollower(_ sink: AnySink, _ stages: Stages) -> (any Disposable)? {
        let key = join(unsafeDowncast(sink, to: Sink<Element>.self))
        return key.map { AudienceFollower(stages: stages, stage: self, key: $0) }
    }

    override final func leave(_ key: SinkList.Key) -> Bool {
        audience.leave(key)
    }
}

/// A follower's place.
private struct AudienceFollower: Disposable {
    let stages: Stages
    let stage: Stage
    let key: SinkList.Key

    func dispose() {
        if stage.leave(key) { stages.leave(stage) } else { stages.leaveEnded(stage) }
    }
}

// Unchecked: as its superclass.
/// A stage without memory.
@usableFromInline
final class PublishStage<Element>: AudienceStage<Element>, @unchecked Sendable {
    private let audience = Audience()

    @usableFromInline
    init(of source: Observable<Element>) {
        super.init(of: source, audience, isItsOwn: true)
    }

    override func run(for stages: Stages) -> any Disposable {
        source.run(Arrivals(self, audience, stages))
    }

    private final class Arrivals: StageSink<Element> {
        private let audience: Audience

        init(_ stage: PublishStage, _ audience: Audience, _ stages: Stages) {
            self.audience = audience
            super.init(stage, stages)
        }

        override func deliver(_ element: Element) {
            audience.next(element)
        }

        /// The subscribers are this run's alone: one that subscribes again when it receives the end gets the next run.
        override func deliver(_ end: Termination, close: () -> Void) {
            close()
            audience.stop(with: end, Element.self)
        }
    }
}

// Unchecked: as its superclass.
/// A stage that remembers.
@usableFromInline
final class ReplayStage<Element>: AudienceStage<Element>, @unchecked Sendable {
    private let audience: ReplayAudience<Element>

    /// - Parameters:
    ///   - source: what is run.
    ///   - audience: it remembers what it will.
    ///   - isItsOwn: whether nobody else has the audience.
    @usableFromInline
    init(of source: Observable<Element>, _ audience: ReplayAudience<Element>, isItsOwn: Bool) {
        self.audience = audience
        super.init(of: source, audience, isItsOwn: isItsOwn)
    }

    override func join(_ sink: Sink<Element>) -> SinkList.Key? {
        audience.admitAndRecall(sink, to: self)
    }

    override func run(for stages: Stages) -> any Disposable {
        source.run(Arrivals(self, audience, stages))
    }

    private final class Arrivals: StageSink<Element> {
        private let audience: ReplayAudience<Element>
        private let ownsAudience: Bool

        init(_ stage: ReplayStage, _ audience: ReplayAudience<Element>, _ stages: Stages) {
            self.audience = audience
            ownsAudience = stage.ownsAudience
            super.init(stage, stages)
        }

        override func deliver(_ element: Element) {
            audience.remember(element, from: live)
        }

        /// A newcomer that is catching up on another thread receives the end as soon as the audience is closed. Where
        /// the audience is this run's alone, the next run must be able to begin by then; where the next run has the
        /// same audience, that must take no more before the next run can begin.
        override func deliver(_ end: Termination, close: () -> Void) {
            if ownsAudience { close() }
            let subscribers = audience.close(with: end)
            if !ownsAudience { close() }
            subscribers.stop(with: end, Element.self)
        }
    }
}
