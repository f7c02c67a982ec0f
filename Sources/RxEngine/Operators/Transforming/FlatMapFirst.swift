import Synchronization

extension ObservableType {
    /// Emits the elements of the sequence that `selector` makes of an element, and drops elements while it runs.
    ///
    ///     source                          --1-3-----5----|
    ///     flatMapFirst { x, then 10x }    --1--10---5--50|
    ///
    /// `selector` is not called for a dropped element.
    ///
    /// Completes when this sequence and the one that is running have completed. Fails with the first error, including
    /// one that `selector` throws. Elements are delivered on the threads that emit them.
    /// `selector` runs on the thread of this sequence.
    @preconcurrency
    @inlinable
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let upstream = asObservable()
        if upstream.isScalar { return .redirecting(.flatMapFirst, upstream) { try selector($0).asObservable() } }
        return .source(.flatMapFirst) { downstream in
            let run = ExhaustRun(.flatMapFirst, into: downstream)
            return run.run(
                upstream, FirstFlatteningSink(into: run, run.makeLive()) { try selector($0).asObservable() })
        }
    }
}

/// A ``MergeRun`` that runs one source at a time.
@usableFromInline
final class ExhaustRun<Element>: MergeRun<Element> {
    private let isBusy = Atomic(false)

    @usableFromInline
    override init(_ operation: Operator, into downstream: Sink<Element>) {
        super.init(operation, into: downstream)
    }

    /// Marks the run as busy, unless a source is running.
    ///
    /// - Returns: whether no source was running. The caller then starts one.
    fileprivate func begin() -> Bool {
        isBusy.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    override func receive(_ source: Observable<Element>) {
        if emitScalar(source) { isBusy.store(false, ordering: .releasing) } else { run(source) }
    }

    /// Called also when the outer source completes. `isBusy` is not read after that.
    override func completed(_ key: RunningSources.Key) {
        isBusy.store(false, ordering: .releasing)
        super.completed(key)
    }
}

/// Forwards an element if no source is running.
@usableFromInline
final class FirstFlatteningSink<Input, Output>: FlatteningSink<Input, Output> {
    private let mergeRun: ExhaustRun<Output>

    @usableFromInline
    init(
        into mergeRun: ExhaustRun<Output>, _ live: LiveSubscription,
        _ select: @escaping (Input) throws -> Observable<Output>
    ) {
        self.mergeRun = mergeRun
        super.init(into: mergeRun, live, select)
    }

    @usableFromInline
    override func next(_ element: Input) {
        if live.isActive, mergeRun.begin() { super.next(element) }
    }
}
