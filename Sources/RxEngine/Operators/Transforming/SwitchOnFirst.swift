extension ObservableType {
    /// Runs, at the first element, the sequence that `selector` makes of that element and of this whole sequence.
    ///
    ///     source                                          --2--3--4--|
    ///     switchOnFirst { n, all in all.map { n * $0 } }  --4--6--8--|
    ///
    /// The sequence that `selector` receives emits the first element and all that follow, without another subscription
    /// to the source. It buffers nothing: what `selector` returns subscribes to it at once, or misses elements. What the
    /// source emits while the first element is delivered follows it.
    ///
    /// Completes and fails with the sequence that `selector` returns, which also decides what the end of the source
    /// does. A source that ends without an element ends the result in the same way. Fails with an error that `selector`
    /// throws. The source is disposed when the result ends.
    /// `selector` is called on the source's thread, and the observer on the threads of the returned sequence.
    ///
    /// - Parameter selector: makes a sequence of the first element and the whole sequence. Called once for each
    ///   subscription.
    @preconcurrency
    @inlinable
    public func switchOnFirst<Result>(
        _ selector: @escaping @Sendable (Element, Observable<Element>) throws -> Observable<Result>
    ) -> Observable<Result> {
        let source = asObservable()
        return .source(.switchOnFirst) { SwitchOnFirstSink(to: $0, selector).start(source) }
    }
}

/// The boundary sink of the source's chain. After the first element, the selected sequence runs into the downstream in
/// the source's place.
@usableFromInline
final class SwitchOnFirstSink<Element, Result>: BoundarySink<Element> {
    private let ticket: ResourceTicket
    private let downstream: Sink<Result>
    private let selector: @Sendable (Element, Observable<Element>) throws -> Observable<Result>
    /// The subject that emits the elements after the first one; `nil` before the first.
    private var rest: PublishSubject<Element>?
    private let selected = SingleAssignmentDisposable()

    @usableFromInline
    init(
        to downstream: Sink<Result>,
        _ selector: @escaping @Sendable (Element, Observable<Element>) throws -> Observable<Result>
    ) {
        var downstream = downstream
        ticket = ResourceTicket(running: .switchOnFirst, into: &downstream)
        self.downstream = downstream
        self.selector = selector
        super.init(LiveSubscription(in: ticket))
    }

    @usableFromInline
    func start(_ source: Observable<Element>) -> any Disposable {
        live.attach(source.run(self))
        return Disposables.create(live, selected)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        if let rest { rest.onNext(element) } else { run(from: element) }
        // Downstream disposes the source itself, but not during its own subscribe call, when it has no disposable yet.
        if !downstream.live.isActive { live.dispose() }
    }

    private func run(from first: Element) {
        let rest = PublishSubject<Element>()
        self.rest = rest
        do {
            try selector(first, rest.following(first)).startNow(into: downstream, selected.setDisposable)
        } catch {
            if downstream.live.isActive { downstream.error(Hooks.thrown(error, in: .switchOnFirst)) }
        }
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        if let rest { return rest.on(Event(end)) }
        if downstream.live.isActive { downstream.terminate(with: end) }
    }
}

extension Observable {
    /// Returns the sequence with `first` before it. Unlike `startWith`, it subscribes to the sequence before it emits
    /// `first`: what the sequence emits inside that follows.
    fileprivate func following(_ first: Element) -> Observable<Element> {
        .source(.startWith, onTrampoline: false) { [self] sink in
            let run = MergeRun<Element>(.startWith, into: sink)
            run.drain.run {
                run.run(self)
                if run.isActive { sink.next(first) }
            }
            return run.sources
        }
    }
}
