extension ObservableType {
    /// Shares one run of this sequence among all subscribers, through `subject`.
    ///
    ///     source                          --1--2--3--|
    ///     multicast(PublishSubject())     --1--2--3--|
    ///     a later subscriber                    .-3--|
    ///
    /// ``ConnectableObservable/connect()`` starts the run, in which `subject` receives the events of this sequence. A
    /// run that was stopped can be followed by another. After the sequence has completed or failed, `subject` has
    /// ended, so later subscribers receive only what the subject emits after its end. Subscribers are called by the
    /// subject, on the thread that this sequence emits on.
    ///
    /// - Parameter subject: receives the events and passes them to the subscribers.
    /// - Returns: the shared sequence.
    public func multicast<Subject: SubjectType>(_ subject: Subject) -> ConnectableObservable<Subject.Element>
    where Subject.Observer.Element == Element {
        let source = asObservable()
        return ConnectableObservable(
            .multicast, ConnectionSlot { SubjectConnection(of: source, subject, ownsSubject: false) })
    }

    /// Shares one run of this sequence among all subscribers, through a subject made for each run.
    ///
    /// ``ConnectableObservable/connect()`` starts the run. After the sequence has completed or failed, and after the
    /// run was stopped, it can be connected again, with a new subject. Subscribers are called by the subject, on the
    /// thread that this sequence emits on.
    ///
    /// - Parameter makeSubject: makes the subject of a run. If several threads subscribe first at the same time, it may
    ///   make a subject that is not used.
    /// - Returns: the shared sequence.
    @preconcurrency
    public func multicast<Subject: SubjectType>(
        makeSubject: @escaping @Sendable () -> Subject
    ) -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element {
        let source = asObservable()
        return ConnectableObservable(
            .multicast, ConnectionSlot { SubjectConnection(of: source, makeSubject(), ownsSubject: true) })
    }

    /// Emits the sequence that `selector` makes from one shared run of this sequence.
    ///
    ///     source.multicast({ PublishSubject() }) { shared in .zip(shared, shared.skip(1)) { … } }
    ///
    /// Each subscription has a run of its own, which starts after the result of `selector` has been subscribed to.
    /// `selector` may use the shared sequence any number of times. The sequence ends when the result ends. An error
    /// that one of the closures throws ends the sequence.
    /// The observer is called on the threads of the result; the closures run on the subscribing thread.
    ///
    /// - Parameters:
    ///   - subjectSelector: makes the subject of a run.
    ///   - selector: makes the resulting sequence from the shared one.
    /// - Returns: the sequence.
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
                sink.error(Hooks.thrown(error, in: .multicast))
                return Disposables.create()
            }
            let subscription = result.run(sink)
            guard sink.live.isActive else { return subscription }
            return Disposables.create(subscription, connectable.connect(for: sink.live))
        }
    }
}

// Unchecked: immutable apart from the state that its superclass guards.
/// A connection whose subscribers are those of a subject.
private final class SubjectConnection<Subject: SubjectType>: Connection, @unchecked Sendable {
    private let source: Observable<Subject.Observer.Element>
    private let subject: Subject
    /// Whether the subject is this connection's alone; otherwise the next connection uses it too.
    private let ownsSubject: Bool

    init(of source: Observable<Subject.Observer.Element>, _ subject: Subject, ownsSubject: Bool) {
        self.source = source
        self.subject = subject
        self.ownsSubject = ownsSubject
    }

    override func add(_ sink: AnySink) -> (any Disposable)? {
        defer { if DiagnosticSwitches.isOn(DiagnosticSwitches.records) { SubscriptionRecord.note(self, of: sink) } }
        return subject.asObservable().run(unsafeDowncast(sink, to: Sink<Subject.Element>.self))
    }

    override func run(for slot: ConnectionSlot) -> any Disposable {
        source.run(SourceSink(self, slot))
    }

    private final class SourceSink: ConnectionSink<Subject.Observer.Element> {
        private let observer: Subject.Observer
        private let ownsSubject: Bool

        init(_ connection: SubjectConnection, _ slot: ConnectionSlot) {
            observer = connection.subject.asObserver()
            ownsSubject = connection.ownsSubject
            super.init(connection, slot)
        }

        override func deliver(_ element: Subject.Observer.Element) {
            observer.onNext(element)
        }

        /// If the subject is this connection's alone, closes first: a subscriber that subscribes again when it receives
        /// the end gets the next run. Otherwise the subject ends first, and with it that subscriber's second
        /// subscription.
        override func deliver(_ end: Termination, close: () -> Void) {
            if ownsSubject { close() }
            observer.on(Event(end))
            if !ownsSubject { close() }
        }
    }
}
