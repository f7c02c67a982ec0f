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
    /// By the rules of the same with observables. What could still fail is this sequence or `selector`: such an error goes
    /// to ``Hooks/defaultErrorHandler``, and the sequence ends as if it had completed.
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
    /// The source that is running, or was the last to.
    @exclusivity(unchecked) private var latest: LiveSubscription?
    @exclusivity(unchecked) private var latestKey: RunningSources.Key = 0
    /// The latest source of which downstream has heard. It changes inside the gate only.
    ///
    /// A source may be on its way to the gate while its successor starts: it comes too late if that was faster.
    @exclusivity(unchecked) private var latestHeard = 0

    @usableFromInline
    override init(_ operation: Operator, into downstream: Sink<Element>) {
        super.init(operation, into: downstream)
    }

    override func take(_ source: Observable<Element>) {
        number += 1
        let number = number
        if let before = latest.take() {
            _ = sources.remove(latestKey)
            before.dispose()
            // What that called may have told the next element already.
            guard isWanted, number == self.number else { return }
        }
        if !tellOnly(source, number) { run(source, number) }
    }

    private func tellOnly(_ source: Observable<Element>, _ number: Int) -> Bool {
        guard gate.enter() else { return false }
        let wasTold = source.tellOnly(to: downstream)
        if wasTold { latestHeard = number }
        gate.leave()
        if wasTold { stopUnlessWanted() }
        return wasTold
    }

    private func run(_ source: Observable<Element>, _ number: Int) {
        let live = LiveSubscription()
        guard let key = sources.add(live) else { return }
        latest = live
        latestKey = key
        source.start(LatestSink(into: self, number, key, live), live)
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
