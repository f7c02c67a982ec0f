extension ObservableType {
    /// The latest element at each element of `sampler`, and at its end, where there is one that was not told yet;
    /// otherwise `defaultValue`, if there is one.
    ///
    ///     source     --1-2-------3--|
    ///     sampler    -----x---x---x----x|
    ///     sample     -----2-------3----|
    ///
    /// It is told wherever `sampler` tells its elements. It ends when `sampler` ticks after the source has ended: the
    /// source's end alone does not end it, and one that comes when `sampler` has ended never does. An error of either
    /// ends it at once.
    @inlinable
    public func sample<Source: ObservableType>(
        _ sampler: Source, defaultValue: Element? = nil
    ) -> Observable<Element> {
        let (source, sampler) = (asObservable(), sampler.asObservable())
        return .source(.sample) { downstream in
            let sink = SampleSink(to: downstream, defaultValue)
            return sink.start(source, sampler, SamplerSink(sink))
        }
    }
}

/// Where the source's events arrive. The gate is there for the errors: what the source tells is left behind a lock, so
/// that it has no part in telling anything else.
@usableFromInline
final class SampleSink<Element>: Sink<Element> {
    private let ticket = ResourceTicket(running: .sample)
    private let downstream: Sink<Element>
    private let gate = Gate()
    private let lock = Lock()
    /// Behind the lock.
    @exclusivity(unchecked) private var latest = Room<Element>()
    @exclusivity(unchecked) private var hasEnded = false
    /// What is told where there is nothing else.
    @exclusivity(unchecked) private var standIn = Room<Element>()

    @usableFromInline
    init(to downstream: Sink<Element>, _ defaultValue: Element?) {
        self.downstream = downstream
        super.init(LiveSubscription())
        if let defaultValue { standIn.put(defaultValue) }
    }

    @usableFromInline
    func start<Tick>(
        _ source: Observable<Element>, _ sampler: Observable<Tick>, _ samplerSink: SamplerSink<Element, Tick>
    ) -> any Disposable {
        live.attach(source.run(self))
        guard downstream.live.isActive else { return live }
        samplerSink.live.attach(sampler.run(samplerSink))
        return Disposables.create(live, samplerSink.live)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        var element = element
        lock.locked { latest.exchange(&element) }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        guard live.end() else { return }
        fail(error)
        live.dispose()
    }

    @usableFromInline
    override func completed() {
        guard live.end() else { return }
        lock.locked { hasEnded = true }
        live.dispose()
    }

    fileprivate var isWanted: Bool { downstream.live.isActive }

    fileprivate func fail(_ error: any Error) {
        gate.pass { if self.downstream.live.isActive { self.downstream.error(error) } }
    }

    fileprivate func tick() {
        guard gate.enter() else { return gate.post { self.sample() } }
        sample()
        gate.leave()
    }

    private func sample() {
        guard downstream.live.isActive else { return }
        let (isThere, isLast) = lock.locked { (!latest.isEmpty, hasEnded) }
        if isThere {
            downstream.next(lock.locked { latest.take() })
        } else if !standIn.isEmpty {
            downstream.next(standIn.element)
        }
        if isLast, downstream.live.isActive { downstream.completed() }
    }
}

/// Where the sampler's events arrive.
@usableFromInline
final class SamplerSink<Element, Tick>: Sink<Tick> {
    private let parent: SampleSink<Element>

    @usableFromInline
    init(_ parent: SampleSink<Element>) {
        self.parent = parent
        super.init(LiveSubscription())
    }

    @usableFromInline
    override func next(_ element: Tick) {
        guard live.isActive else { return }
        parent.tick()
        if !parent.isWanted { live.dispose() }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        guard live.end() else { return }
        parent.fail(error)
        live.dispose()
    }

    @usableFromInline
    override func completed() {
        guard live.end() else { return }
        parent.tick()
        live.dispose()
    }
}
