// Unchecked: as its superclass.
/// A stage that tells an audience of the engine's own.
class AudienceStage<Element>: Stage<Element>, @unchecked Sendable {
    fileprivate final let source: Observable<Element>
    private let audience: Audience
    private let ownsAudience: Bool

    fileprivate init(of source: Observable<Element>, _ audience: Audience, isItsOwn: Bool) {
        self.source = source
        self.audience = audience
        ownsAudience = isItsOwn
    }

    deinit {
        if ownsAudience { audience.dispose() }
    }

    /// Puts `sink` into the audience.
    fileprivate func join(_ sink: Sink<Element>) -> SinkList.Key? {
        audience.admit(sink, to: self)
    }

    override final func admit(_ sink: Sink<Element>) -> (any Disposable)? {
        join(sink).map(audience.membership)
    }

    override final func admitFollower(_ sink: Sink<Element>, _ stages: Stages<Element>) -> (any Disposable)? {
        join(sink).map { Follower(stages: stages, stage: self, key: $0) }
    }

    /// A follower's place.
    private struct Follower: Disposable {
        let stages: Stages<Element>
        let stage: AudienceStage
        let key: SinkList.Key

        func dispose() {
            if stage.audience.leave(key) { stages.leave(stage) }
        }
    }
}

// Unchecked: as its superclass.
/// A stage without memory.
final class PublishStage<Element>: AudienceStage<Element>, @unchecked Sendable {
    private let audience = Audience()

    init(of source: Observable<Element>) {
        super.init(of: source, audience, isItsOwn: true)
    }

    override func run(for stages: Stages<Element>) -> any Disposable {
        source.run(Arrivals(self, stages))
    }

    private final class Arrivals: StageSink<Element, Element> {
        private let audience: Audience

        init(_ stage: PublishStage, _ stages: Stages<Element>) {
            audience = stage.audience
            super.init(stage, stages)
        }

        override func next(_ element: Element) {
            if live.isActive { audience.next(element) }
        }

        override func tell(_ end: Termination) {
            audience.stop(with: end, Element.self)
        }
    }
}

// Unchecked: as its superclass.
/// A stage that remembers.
final class ReplayStage<Element>: AudienceStage<Element>, @unchecked Sendable {
    private let audience: ReplayAudience<Element>

    /// A stage that remembers the last elements of its own run.
    init(of source: Observable<Element>, capacity: Int) {
        audience = ReplayAudience(capacity: capacity)
        super.init(of: source, audience, isItsOwn: true)
    }

    /// A stage of which `audience` remembers what it will, and for longer.
    init(of source: Observable<Element>, _ audience: ReplayAudience<Element>) {
        self.audience = audience
        super.init(of: source, audience, isItsOwn: false)
    }

    override func join(_ sink: Sink<Element>) -> SinkList.Key? {
        audience.admitAndRecall(sink, to: self)
    }

    override func run(for stages: Stages<Element>) -> any Disposable {
        source.run(Arrivals(self, stages))
    }

    private final class Arrivals: StageSink<Element, Element> {
        private let audience: ReplayAudience<Element>

        init(_ stage: ReplayStage, _ stages: Stages<Element>) {
            audience = stage.audience
            super.init(stage, stages)
        }

        override func next(_ element: Element) {
            audience.remember(element, from: live)
        }

        override func tell(_ end: Termination) {
            audience.stop(with: end, Element.self)
        }
    }
}
