extension ObservableType {
    /// What `resultSelector` makes of each element and the latest of `second`, once that has one.
    ///
    ///     source            --1-----2--3--|
    ///     second            ----a-b-------|
    ///     withLatestFrom    --------2b-3b-|
    ///
    /// The result is told wherever the source tells its elements; `second` is subscribed to first. Elements that come
    /// before it has one are dropped, and when it has ended, its last one stays the latest. An error of either, or one
    /// thrown by `resultSelector`, ends the sequence.
    @preconcurrency
    @inlinable
    public func withLatestFrom<Source: ObservableConvertibleType, Result>(
        _ second: Source, resultSelector: @escaping @Sendable (Element, Source.Element) throws -> Result
    ) -> Observable<Result> {
        let (source, second) = (asObservable(), second.asObservable())
        return .source(.withLatestFrom) { downstream in
            WithLatestFromSink(to: downstream, resultSelector).start(source, second)
        }
    }

    /// At each element, the latest of `second`, once that has one.
    ///
    ///     source            --1-----2--3--|
    ///     second            ----a-b-------|
    ///     withLatestFrom    --------b--b--|
    @inlinable
    public func withLatestFrom<Source: ObservableConvertibleType>(_ second: Source) -> Observable<Source.Element> {
        withLatestFrom(second) { $1 }
    }
}

/// Where the source's events arrive. The gate is there for the other's error: what the other tells is left behind a
/// lock, so that it has no part in telling anything.
@usableFromInline
final class WithLatestFromSink<Element, Other, Result>: OperatorSink<Element, Result> {
    private let resultSelector: @Sendable (Element, Other) throws -> Result
    private let gate = Gate()
    private let lock = Lock()
    /// Behind the lock.
    @exclusivity(unchecked) private var latest = Room<Other>()
    /// Whether the other has told anything, as far as is known inside the gate.
    @exclusivity(unchecked) private var hasLatest = false

    @usableFromInline
    init(to downstream: Sink<Result>, _ resultSelector: @escaping @Sendable (Element, Other) throws -> Result) {
        self.resultSelector = resultSelector
        super.init(.withLatestFrom, to: downstream)
    }

    @usableFromInline
    func start(_ source: Observable<Element>, _ second: Observable<Other>) -> any Disposable {
        let other = LiveSubscription()
        other.attach(second.run(LatestSink(self, other)))
        return live.isActive ? Disposables.create(other, source.run(self)) : other
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard gate.enter() else { return gate.post { self.take(element) } }
        take(element)
        gate.leave()
    }

    private func take(_ element: Element) {
        if !hasLatest { hasLatest = lock.locked { !latest.isEmpty } }
        guard live.isActive, hasLatest else { return }
        let other = lock.locked { latest.element }
        do {
            let result = try resultSelector(element, other)
            if live.isActive { downstream.next(result) }
        } catch {
            downstream.error(error)
        }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        end(.error(error))
    }

    @usableFromInline
    override func completed() {
        end(.completed)
    }

    private func end(_ end: Termination) {
        gate.pass { if self.live.isActive { self.downstream.stop(with: end) } }
    }

    /// Where the other sequence's events arrive.
    private final class LatestSink: Sink<Other> {
        private let parent: WithLatestFromSink

        init(_ parent: WithLatestFromSink, _ live: LiveSubscription) {
            self.parent = parent
            super.init(live)
        }

        override func next(_ element: Other) {
            guard live.isActive else { return }
            var element = element
            parent.lock.locked { parent.latest.exchange(&element) }
        }

        override func error(_ error: any Error) {
            guard live.end() else { return }
            parent.end(.error(error))
            live.dispose()
        }

        override func completed() {
            if live.end() { live.dispose() }
        }
    }
}
