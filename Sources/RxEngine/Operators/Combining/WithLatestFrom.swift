extension ObservableType {
    /// Combines each element with the latest element of `second` by `resultSelector`, once `second` has emitted.
    ///
    ///     source            --1-----2--3--|
    ///     second            ----a-b-------|
    ///     withLatestFrom    --------2b-3b-|
    ///
    /// Elements that arrive before `second` has emitted are dropped. `second` is subscribed to first; when it has
    /// completed, its last element stays the latest. The result completes with this sequence, and fails with the first
    /// error of either, or that `resultSelector` throws. The observer receives elements on the threads on which this
    /// sequence emits them.
    @preconcurrency
    @inlinable
    public func withLatestFrom<Other, Result>(
        _ second: some ObservableConvertibleType<Other>,
        resultSelector: @escaping @Sendable (Element, Other) throws -> Result
    ) -> Observable<Result> {
        let (source, second) = (asObservable(), second.asObservable())
        return .source(.withLatestFrom) { downstream in
            WithLatestFromSink(to: downstream, resultSelector).start(source, second)
        }
    }

    /// Emits the latest element of `second` at each element of this sequence, once `second` has emitted.
    ///
    ///     source            --1-----2--3--|
    ///     second            ----a-b-------|
    ///     withLatestFrom    --------b--b--|
    ///
    /// Elements that arrive before `second` has emitted are dropped. The result completes with this sequence, and fails
    /// with the first error of either.
    /// `second` is subscribed to first; its completion has no effect. The observer receives elements on the threads on
    /// which this sequence emits them.
    @inlinable
    public func withLatestFrom<Other>(_ second: some ObservableConvertibleType<Other>) -> Observable<Other> {
        withLatestFrom(second) { $1 }
    }
}

/// The sink of `withLatestFrom` in the source's chain.
///
/// The drain serializes the source's events with the error of the other sequence. The other sequence only stores its
/// elements, behind a lock, so that its thread never delivers elements of the source.
@usableFromInline
final class WithLatestFromSink<Element, Other, Result>: OperatorSink<Element, Result> {
    private let resultSelector: @Sendable (Element, Other) throws -> Result
    private let drain = SerializedDrain()
    private let lock = Lock()
    /// The other sequence's latest element. Guarded by the lock.
    @exclusivity(unchecked) private var latest = ElementBox<Other>()
    /// Whether the other sequence is known to have emitted. Used only inside the drain.
    @exclusivity(unchecked) private var hasLatest = false

    @usableFromInline
    init(to downstream: Sink<Result>, _ resultSelector: @escaping @Sendable (Element, Other) throws -> Result) {
        self.resultSelector = resultSelector
        super.init(.withLatestFrom, to: downstream)
    }

    @usableFromInline
    func start(_ source: Observable<Element>, _ second: Observable<Other>) -> any Disposable {
        let other = LiveSubscription(into: self)
        other.attach(second.run(OtherSink(self, other)))
        return live.isActive ? Disposables.create(other, source.run(self)) : other
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard drain.enter() else { return drain.post { self.receive(element) } }
        receive(element)
        drain.leave()
    }

    private func receive(_ element: Element) {
        if !hasLatest { hasLatest = lock.locked { !latest.isEmpty } }
        guard live.isActive, hasLatest else { return }
        let other = lock.locked { latest.element }
        do {
            let result = try resultSelector(element, other)
            if live.isActive { downstream.next(result) }
        } catch {
            downstream.error(Hooks.thrown(error, in: .withLatestFrom))
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
        drain.run { if self.live.isActive { self.downstream.terminate(with: end) } else { Hooks.dropped(end) } }
    }

    /// The boundary sink of the other sequence's chain.
    private final class OtherSink: BoundarySink<Other> {
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

        override func ended(_ end: Termination) {
            if case .error = end { parent.end(end) }
        }
    }
}
