extension ObservableType {
    /// Emits the elements of the sequence that `selector` made of the latest element.
    ///
    ///     source                          --1-3--------|
    ///     flatMapLatest { x, then 10x }   --1-3--30----|
    ///
    /// For each element, calls `selector`, then disposes the previous sequence, then subscribes to the new one.
    ///
    /// Completes when this sequence and the latest have completed. Fails with the first error, including one that
    /// `selector` throws. Elements are delivered on the threads that emit them.
    /// `selector` runs on the thread of this sequence.
    @preconcurrency
    @inlinable
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let upstream = asObservable()
        if upstream.isScalar { return .redirecting(.flatMapLatest, upstream) { try selector($0).asObservable() } }
        return .source(.flatMapLatest) {
            SwitchRun(.flatMapLatest, into: $0).run(upstream) { try selector($0).asObservable() }
        }
    }

    /// Emits the elements of the infallible sequence that `selector` made of the latest element.
    ///
    ///     source                          --1-3--------|
    ///     flatMapLatest { x, then 10x }   --1-3--30----|
    ///
    /// For each element, calls `selector`, then disposes the previous sequence, then subscribes to the new one.
    /// Completes when this sequence and the latest have completed. An error of this sequence, or one that `selector`
    /// throws, goes to ``Hooks/defaultErrorHandler`` and completes the sequence.
    /// Elements are delivered on the threads that emit them.
    @preconcurrency
    @inlinable
    public func flatMapLatest<Source: InfallibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Infallible<Source.Element> {
        let latest: Observable<Source.Element> = flatMapLatest(selector)
        return Infallible(guarding: latest)
    }
}

/// A ``MergeRun`` in which each source replaces the previous one.
@usableFromInline
final class SwitchRun<Element>: MergeRun<Element> {
    /// The number of sources so far.
    @exclusivity(unchecked) private var sourceCount = 0
    /// The source that is running or that ran last. Only events of the outer source access it.
    @exclusivity(unchecked) private var latest: RegisteredSource?
    /// The number of the latest source that downstream has received an element from. It changes inside the drain only.
    ///
    /// An element of a source may be queued at the drain while the next source starts. It is dropped if an element of
    /// the next source was delivered before.
    @exclusivity(unchecked) private var latestReceived = 0

    /// A source's subscription, and the key that it is registered under.
    private struct RegisteredSource {
        let live: LiveSubscription
        let key: RunningSources.Key
    }

    @usableFromInline
    override init(_ operation: Operator, into downstream: Sink<Element>) {
        super.init(operation, into: downstream)
    }

    override func receive(_ source: Observable<Element>) {
        sourceCount += 1
        let number = sourceCount
        guard let before = latest else {
            if !emitScalar(source, number) { run(source, number, register()) }
            return
        }
        // The new source counts as running before the previous one is disposed: disposing may complete the outer
        // source, which must not end the run.
        let registered = register()
        before.live.dispose()
        sources.remove(before.key)
        // Disposing may also have made the outer source emit, and that element's source has then replaced this one.
        guard let registered, isActive, number == sourceCount else { return }
        guard emitScalar(source, number) else { return run(source, number, registered) }
        if number == sourceCount { latest = nil }
        completed(registered.key)
    }

    /// Makes a subscription for the next source and registers it.
    ///
    /// - Returns: `nil` if the run is over.
    private func register() -> RegisteredSource? {
        let live = makeLive()
        latest = sources.add(live).map { RegisteredSource(live: live, key: $0) }
        return latest
    }

    /// Emits the element of a `just`, or nothing for an `empty`, without a subscription.
    private func emitScalar(_ source: Observable<Element>, _ number: Int) -> Bool {
        guard drain.enter() else { return false }
        let isScalar = source.emitScalar(to: downstream)
        if isScalar { latestReceived = number }
        drain.leave()
        if isScalar { disposeUnlessActive() }
        return isScalar
    }

    private func run(_ source: Observable<Element>, _ number: Int, _ registered: RegisteredSource?) {
        guard let registered else { return }
        source.start(SwitchSourceSink(into: self, number, registered.key, registered.live), registered.live)
    }

    fileprivate func next(_ element: Element, from number: Int) {
        if drain.enter() {
            nextInside(element, from: number)
            drain.leave()
        } else {
            drain.post { self.nextInside(element, from: number) }
        }
        disposeUnlessActive()
    }

    private func nextInside(_ element: Element, from number: Int) {
        guard number >= latestReceived, isActive else { return }
        latestReceived = number
        downstream.next(element)
    }
}

/// The boundary sink of one source's chain.
private final class SwitchSourceSink<Element>: BoundarySink<Element> {
    private let mergeRun: SwitchRun<Element>
    private let number: Int
    private let key: RunningSources.Key

    init(
        into mergeRun: SwitchRun<Element>, _ number: Int, _ key: RunningSources.Key, _ live: LiveSubscription
    ) {
        self.mergeRun = mergeRun
        self.number = number
        self.key = key
        super.init(live)
    }

    override func next(_ element: Element) {
        if live.isActive { mergeRun.next(element, from: number) }
    }

    override func ended(_ end: Termination) {
        mergeRun.sourceEnded(end, key)
    }
}
