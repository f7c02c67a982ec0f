extension ObservableType {
    /// One run of this sequence for all who subscribe to `subject` through what is returned, started by
    /// ``ConnectableObservable/connect()``.
    ///
    /// A run that was stopped can be followed by another; after the end the subject has ended, and with it everything.
    public func multicast<Subject: SubjectType>(_ subject: Subject) -> ConnectableObservable<Subject.Element>
    where Subject.Observer.Element == Element {
        let source = asObservable()
        return ConnectableObservable(.multicast, Stages { SubjectStage(of: source, subject, isItsOwn: false) })
    }

    /// One run of this sequence for all subscribers, through a subject that `makeSubject` makes for each run, started
    /// by ``ConnectableObservable/connect()``.
    ///
    /// After the end, and after the run was stopped, it can be connected again. Where several threads come first at
    /// once, a subject may be made that is not used.
    @preconcurrency
    public func multicast<Subject: SubjectType>(
        makeSubject: @escaping @Sendable () -> Subject
    ) -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element {
        let source = asObservable()
        return ConnectableObservable(.multicast, Stages { SubjectStage(of: source, makeSubject(), isItsOwn: true) })
    }

    /// What `selector` makes of one run of this sequence, through a subject that `subjectSelector` makes for each
    /// subscription: `selector` may subscribe to what it is given as often as it likes.
    ///
    ///     source.multicast({ PublishSubject() }) { shared in .zip(shared, shared.skip(1)) { … } }
    ///
    /// The run starts when the result has been subscribed to. An error thrown by one of the closures is the sequence's.
    @preconcurrency
    public func multicast<Subject: SubjectType, Result>(
        _ subjectSelector: @escaping @Sendable () throws -> Subject,
        selector: @escaping @Sendable (Observable<Subject.Element>) throws -> Observable<Result>
    ) -> Observable<Result> where Subject.Observer.Element == Element {
        let source = asObservable()
        return .source(.multicast) { sink in
            let connectable: ConnectableObservable<Subject.Element>
            let result: Observable<Result>
            do {
                connectable = source.multicast(try subjectSelector())
                result = try selector(connectable)
            } catch {
                sink.error(error)
                return Disposables.create()
            }
            let subscription = result.run(sink)
            guard sink.live.isActive else { return subscription }
            return Disposables.create(subscription, connectable.connect(for: sink.live))
        }
    }
}

// Unchecked: immutable but for what its superclass guards.
/// A stage whose subscribers are a subject's.
private final class SubjectStage<Subject: SubjectType>: Stage, @unchecked Sendable {
    private let source: Observable<Subject.Observer.Element>
    private let subject: Subject
    /// Whether the next stage has another subject.
    private let ownsSubject: Bool

    init(of source: Observable<Subject.Observer.Element>, _ subject: Subject, isItsOwn: Bool) {
        self.source = source
        self.subject = subject
        ownsSubject = isItsOwn
    }

    override func admit(_ sink: AnySink) -> (any Disposable)? {
        subject.asObservable().run(unsafeDowncast(sink, to: Sink<Subject.Element>.self))
    }

    override func run(for stages: Stages) -> any Disposable {
        source.run(Arrivals(self, stages))
    }

    private final class Arrivals: StageSink<Subject.Observer.Element> {
        private let observer: Subject.Observer
        private let ownsSubject: Bool

        init(_ stage: SubjectStage, _ stages: Stages) {
            observer = stage.subject.asObserver()
            ownsSubject = stage.ownsSubject
            super.init(stage, stages)
        }

        override func deliver(_ element: Subject.Observer.Element) {
            observer.onNext(element)
        }

        /// With a subject of its own, a subscriber that subscribes again when it receives the end gets the next run. A
        /// subject that the next run would have too ends first, and with it that subscriber's second subscription.
        override func deliver(_ end: Termination, close: () -> Void) {
            if ownsSubject { close() }
            observer.on(Event(end))
            if !ownsSubject { close() }
        }
    }
}
