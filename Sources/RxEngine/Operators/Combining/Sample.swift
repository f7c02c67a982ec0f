extension ObservableType {
    /// Emits this sequence's latest element whenever `sampler` emits an element or completes.
    ///
    ///     source     --1-2-------3--|
    ///     sampler    -----x---x---x----x|
    ///     sample     -----2-------3----|
    ///
    /// An element is emitted once. If there is no new element, the result emits `defaultValue`, if that is not `nil`,
    /// and nothing otherwise. The observer receives elements on the threads on which `sampler` emits.
    ///
    /// When this sequence has completed, the result completes at the next element or the completion of `sampler`. If
    /// `sampler` completes first, the result never completes. It fails with the first error of either.
    @inlinable
    public func sample(
        _ sampler: some ObservableType, defaultValue: Element? = nil
    ) -> Observable<Element> {
        let (source, sampler) = (asObservable(), sampler.asObservable())
        return .source(.sample) { downstream in
            let sink = SampleSink(to: downstream, defaultValue)
            return sink.start(source, sampler, MarkSink(for: sink))
        }
    }
}

/// The boundary sink of the source's chain, which stores the latest element for the sampler.
///
/// The drain serializes the errors of both sources with the samples. The source only stores its elements, behind a
/// lock, so that its thread never delivers samples.
@usableFromInline
final class SampleSink<Element>: BoundarySink<Element>, MarkTarget {
    private let ticket: ResourceTicket
    private let downstream: Sink<Element>
    private let drain = SerializedDrain()
    private let lock = Lock()
    // Both guarded by the lock.
    @exclusivity(unchecked) private var latest = ElementBox<Element>()
    @exclusivity(unchecked) private var hasCompleted = false
    /// The element that is emitted if there is no new element.
    @exclusivity(unchecked) private var defaultElement = ElementBox<Element>()

    @usableFromInline
    init(to downstream: Sink<Element>, _ defaultValue: Element?) {
        var downstream = downstream
        ticket = ResourceTicket(running: .sample, into: &downstream)
        self.downstream = downstream
        super.init(LiveSubscription(in: ticket))
        if let defaultValue { defaultElement.store(defaultValue) }
    }

    @usableFromInline
    func start<Tick>(
        _ source: Observable<Element>, _ sampler: Observable<Tick>, _ tickSink: MarkSink<Tick>
    ) -> any Disposable {
        live.attach(source.run(self))
        guard downstream.live.isActive else { return live }
        tickSink.live.attach(sampler.run(tickSink))
        return Disposables.create(live, tickSink.live)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        var element = element
        lock.locked { latest.exchange(&element) }
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        switch end {
        case .error(let error): marksFailed(error)
        case .completed: lock.locked { hasCompleted = true }
        }
    }

    @usableFromInline
    var isActive: Bool { downstream.live.isActive }

    @usableFromInline
    func marksFailed(_ error: any Error) {
        drain.run { if self.downstream.live.isActive { self.downstream.error(error) } }
    }

    /// A last sample is due when the sampler completes.
    @usableFromInline
    func marksCompleted() { reachedMark() }

    @usableFromInline
    func reachedMark() {
        guard drain.enter() else { return drain.post { self.sample() } }
        sample()
        drain.leave()
    }

    private func sample() {
        guard downstream.live.isActive else { return }
        let (hasLatest, completes) = lock.locked { (!latest.isEmpty, hasCompleted) }
        if hasLatest {
            downstream.next(lock.locked { latest.take() })
        } else if !defaultElement.isEmpty {
            downstream.next(defaultElement.element)
        }
        if completes, downstream.live.isActive { downstream.completed() }
    }
}
