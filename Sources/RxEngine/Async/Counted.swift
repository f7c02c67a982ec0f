extension ObservableType {
    /// Counts the elements inside a part of the chain as in flight, so that sources wait for that part.
    ///
    ///     source                     --1--2-----|
    ///     counted { mapAsync(f) }    -----f1-f2-|
    ///
    /// In flight are one element after `1`, two after `2`, one after `f1` and none after `f2`.
    ///
    /// An operator that holds elements back, such as `mapAsync` or `observe(on:)`, hides them from the consumer: without
    /// this, a source that can wait would fill the operator's queue.
    ///
    /// ```swift
    /// urls.asObservable(demand: demand)
    ///     .counted(in: demand) { $0.flatMapAsync(maxConcurrent: 2, fetch) }
    ///     .values(demand: demand)
    /// ```
    ///
    /// Each element counts until the part emits one. The part must emit exactly one element for each that it receives:
    /// elements dropped inside, as by `filter`, keep counting, and the source finally waits forever.
    /// Completes and fails with the part, which calls the observer on its own threads.
    ///
    /// - Parameters:
    ///   - demand: counts the elements.
    ///   - part: makes the part of this sequence, for each subscription.
    @preconcurrency
    public func counted<Result>(
        in demand: Demand, _ part: @escaping @Sendable (Observable<Element>) -> Observable<Result>
    ) -> Observable<Result> {
        let source = asObservable()
        return .source(.counted) { sink in
            let share = DemandShare(of: demand)
            let counting = source.lift(.counted, with: share) { EntrySink(to: $1, $0) }
            let run = part(counting).lift(.counted, with: share) { ExitSink(to: $1, $0) }.run(sink)
            return Disposables.create(run, share)
        }
    }
}

extension InfallibleType {
    /// Counts the elements inside a part of the chain as in flight, so that sources wait for that part.
    ///
    ///     source                       --1--2-----|
    ///     counted { concatMap(f) }     -----f1-f2-|
    ///
    /// Each element counts until the part emits one, of which it must emit exactly one for each; see
    /// ``ObservableType/counted(in:_:)``. Completes with the part, which calls the observer on its own threads.
    ///
    /// - Parameters:
    ///   - demand: counts the elements.
    ///   - part: makes the part of this sequence, for each subscription.
    @preconcurrency
    public func counted<Result>(
        in demand: Demand, _ part: @escaping @Sendable (Infallible<Element>) -> Infallible<Result>
    ) -> Infallible<Result> {
        Infallible(asObservable().counted(in: demand) { part(Infallible($0)).asObservable() })
    }
}

extension SharedSequenceConvertibleType {
    /// Counts the elements inside a part of the chain as in flight, so that sources wait for that part.
    ///
    ///     source                   --1--2-----|
    ///     counted { delay(3) }     -----1--2--|
    ///
    /// Each element counts until the part emits one, of which it must emit exactly one for each; see
    /// ``ObservableType/counted(in:_:)``. Completes with the part. The strategy's scheduler delivers all events.
    ///
    /// - Parameters:
    ///   - demand: counts the elements.
    ///   - part: makes the part of this sequence, for each run.
    @preconcurrency
    public func counted<Other>(
        in demand: Demand,
        _ part: @escaping @Sendable (SharedSequence<SharingStrategy, Element>) -> SharedSequence<SharingStrategy, Other>
    ) -> SharedSequence<SharingStrategy, Other> {
        SharedSequence(asObservable().counted(in: demand) { part(SharedSequence(raw: $0)).asObservable() })
    }
}

/// Counts the elements that enter a part of the chain.
private final class EntrySink<Element>: OperatorSink<Element, Element> {
    private let share: DemandShare

    init(to downstream: Sink<Element>, _ share: DemandShare) {
        self.share = share
        super.init(.counted, to: downstream)
    }

    override func next(_ element: Element) {
        share.add()
        downstream.next(element)
    }
}

/// Counts the elements that have left it, when the next part has them.
private final class ExitSink<Element>: OperatorSink<Element, Element> {
    private let share: DemandShare

    init(to downstream: Sink<Element>, _ share: DemandShare) {
        self.share = share
        super.init(.counted, to: downstream)
    }

    override func next(_ element: Element) {
        downstream.next(element)
        share.remove()
    }
}
