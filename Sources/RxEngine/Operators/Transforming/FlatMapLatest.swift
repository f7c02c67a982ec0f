extension ObservableType {
    /// The elements of the sequence that `selector` made of the latest element of this one.
    ///
    ///     source                          --1-3--------|
    ///     flatMapLatest { x, then 10x }   --1-3--30----|
    ///
    /// When an element comes, `selector` is called, then the sequence before is disposed, then the new one subscribed
    /// to. It ends when this sequence and the latest have ended, or with the first error, `selector`'s included.
    @preconcurrency
    @inlinable
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let upstream = asObservable()
        if upstream.isOnly { return .following(.flatMapLatest, upstream) { try selector($0).asObservable() } }
        return .source(.flatMapLatest) {
            LatestConfluence(.flatMapLatest, into: $0).flow(upstream) { try selector($0).asObservable() }
        }
    }

    /// The elements of the infallible sequence that `selector` made of the latest element of this one.
    ///
    /// By the rules of the same with observables. What could still fail is this sequence or `selector`: such an error
    /// goes to ``Hooks/defaultErrorHandler``, and the sequence ends as if it had completed.
    @preconcurrency
    @inlinable
    public func flatMapLatest<Source: InfallibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Infallible<Source.Element> {
        let latest: Observable<Source.Element> = flatMapLatest(selector)
        return Infallible(guarding: latest)
    }
}

/// A confluence in which a source replaces the one before.
@usableFromInline
final class LatestConfluence<Element>: Confluence<Element> {
    /// How many sources there have been.
    @exclusivity(unchecked) private var number = 0
    /// The source that is running, or was the last to. Only the source of sources' events touch it.
    @exclusivity(unchecked) private var latest: Place?
    /// The latest source of which downstream has heard. It changes inside the gate only.
    ///
    /// A source may be on its way to the gate while its successor starts: it comes too late if that was faster.
    @exclusivity(unchecked) private var latestHeard = 0

    /// A source's subscription, and the key that it is registered under.
    private struct Place {
        let live: LiveSubscription
        let key: RunningSources.Key
    }

    @usableFromInline
    override init(_ operation: Operator, into downstream: Sink<Element>) {
        super.init(operation, into: downstream)
    }

    override func take(_ source: Observable<Element>) {
        number += 1
        let number = number
        guard let before = latest else {
            if !emitScalar(source, number) { run(source, number, register()) }
            return
        }
        // The new source counts as running before the previous one is disposed: disposing may complete the source of
        // sources, which must not end the run.
        let place = register()
        before.live.dispose()
        sources.remove(before.key)
        // Disposing may also have made the source of sources emit, which has replaced this source in turn.
        guard let place, isWanted, number == self.number else { return }
        guard emitScalar(source, number) else { return run(source, number, place) }
        if number == self.number { latest = nil }
        completed(place.key)
    }

    /// Makes a subscription for the next source and registers it.
    ///
    /// - Returns: `nil` where the run is over.
    private func register() -> Place? {
        let live = LiveSubscription()
        latest = sources.add(live).map { Place(live: live, key: $0) }
        return latest
    }

    /// Emits a source that is a single element, without a subscription.
    private func emitScalar(_ source: Observable<Element>, _ number: Int) -> Bool {
        guard gate.enter() else { return false }
        let isScalar = source.tellOnly(to: downstream)
        if isScalar { latestHeard = number }
        gate.leave()
        if isScalar { stopUnlessWanted() }
        return isScalar
    }

    private func run(_ source: Observable<Element>, _ number: Int, _ place: Place?) {
        guard let place else { return }
        source.start(LatestSink(into: self, number, place.key, place.live), place.live)
    }

    fileprivate func next(_ element: Element, from number: Int) {
        if gate.enter() {
            nextInside(element, from: number)
            gate.leave()
        } else {
            gate.post { self.nextInside(element, from: number) }
        }
        stopUnlessWanted()
    }

    private func nextInside(_ element: Element, from number: Int) {
        guard number >= latestHeard, isWanted else { return }
        latestHeard = number
        downstream.next(element)
    }
}

/// The end of one source's chain.
private final class LatestSink<Element>: Sink<Element> {
    private let confluence: LatestConfluence<Element>
    private let number: Int
    private let key: RunningSources.Key

    init(
        into confluence: LatestConfluence<Element>, _ number: Int, _ key: RunningSources.Key, _ live: LiveSubscription
    ) {
        self.confluence = confluence
        self.number = number
        self.key = key
        super.init(live)
    }

    override func next(_ element: Element) {
        if live.isActive { confluence.next(element, from: number) }
    }

    override func error(_ error: any Error) {
        guard live.end() else { return }
        confluence.stop(with: .error(error))
        live.dispose()
    }

    override func completed() {
        guard live.end() else { return }
        confluence.completed(key)
        live.dispose()
    }
}
