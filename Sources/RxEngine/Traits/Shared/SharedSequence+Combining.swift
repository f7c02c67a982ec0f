extension SharedSequenceConvertibleType {
    /// Emits `element`, then the elements of this sequence.
    ///
    ///     source              --1--2--|
    ///     startWith(0)        0-1--2--|
    ///
    /// Subscribes on the strategy's scheduler, which for a ``Driver`` and a ``Signal`` is the main thread, so that
    /// `element` is delivered there too.
    /// It completes with this sequence.
    public func startWith(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().startWith(element).subscribedOn(SharingStrategy.self))
    }

    /// Emits the result of `resultSelector` for each element and the latest one of `second`.
    ///
    ///     source            --1-----2--3--|
    ///     second            ----a-b-------|
    ///     withLatestFrom    --------2b-3b-|
    ///
    /// Elements that precede the first of `second`, which may have another strategy, are dropped. It completes with
    /// this sequence.
    /// `resultSelector` and the observer are called on the scheduler of this sequence's strategy.
    @preconcurrency
    public func withLatestFrom<Second: SharedSequenceConvertibleType, Result>(
        _ second: Second, resultSelector: @escaping @Sendable (Element, Second.Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    /// Emits the latest element of `second` at each element of this sequence.
    ///
    ///     source      ----x----x--x--|
    ///     second      --1---2----3---->
    ///     result      ----1----2--3--|
    ///
    /// Elements that precede the first of `second`, which may have another strategy, are dropped. It completes with
    /// this sequence.
    /// The observer is called on the scheduler of this sequence's strategy.
    public func withLatestFrom<Second: SharedSequenceConvertibleType>(
        _ second: Second
    ) -> SharedSequence<SharingStrategy, Second.Element> {
        SharedSequence(asObservable().withLatestFrom(second.asObservable()))
    }
}

extension SharedSequenceConvertibleType where Element: SharedSequenceConvertibleType {
    /// Emits the elements of the latest inner sequence; a new one cancels the one before.
    ///
    ///     a               --1--2--3--|
    ///     b                    .--8----9--|
    ///     source          a----b--------|
    ///     switchLatest    --1-----8----9--|
    ///
    /// It completes when this sequence and the latest inner one have completed.
    /// Elements are delivered on the scheduler of the inner sequences.
    public func switchLatest() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence(asObservable().switchLatest())
    }

    /// Subscribes to all inner sequences and emits their elements as they arrive.
    ///
    ///     a           --1-----2--|
    ///     b                .--8--9--|
    ///     source      a----b--|
    ///     merge       --1-----82-9--|
    ///
    /// It completes when this sequence and all inner ones have completed.
    /// Elements are delivered on the scheduler of the inner sequences.
    public func merge() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence(asObservable().merge())
    }

    /// Subscribes to at most `maxConcurrent` inner sequences at a time and emits their elements as they arrive.
    ///
    ///     a                       --1--2--|
    ///     b                               .--8--|
    ///     source                  a-b--|
    ///     merge(maxConcurrent: 1) --1--2-----8--|
    ///
    /// Further inner sequences are queued, without bound. It completes when this sequence and all inner ones have
    /// completed.
    /// Elements are delivered on the scheduler of the inner sequences.
    public func merge(maxConcurrent: Int) -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence(asObservable().merge(maxConcurrent: maxConcurrent))
    }
}

extension SharedSequenceConvertibleType {
    /// Subscribes to all sequences at once and emits their elements as they arrive.
    ///
    ///     first       --1-----2--|
    ///     second      ----8-----9--|
    ///     merge       --1-8---2-9--|
    ///
    /// It completes when all have completed.
    /// The strategy's scheduler calls the observer.
    public static func merge(
        _ sources: some Collection<SharedSequence<SharingStrategy, Element>>
    ) -> SharedSequence<SharingStrategy, Element> {
        sources.isEmpty ? .empty() : SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    /// Subscribes to all sequences at once and emits their elements as they arrive.
    ///
    /// It completes when all have completed.
    /// The strategy's scheduler calls the observer.
    public static func merge(
        _ sources: SharedSequence<SharingStrategy, Element>...
    ) -> SharedSequence<SharingStrategy, Element> {
        merge(sources)
    }

    /// Emits the elements of the sequences one after the other, and completes with the last.
    ///
    ///     first       --1--2--|
    ///     second              --8--|
    ///     concat      --1--2----8--|
    ///
    /// The next one is pulled from `sequence` when the one before it has completed. Subscribes on the strategy's
    /// scheduler, which for a ``Driver`` and a ``Signal`` is the main thread.
    public static func concat(
        _ sequence: some Sequence<SharedSequence<SharingStrategy, Element>>
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.concat(sequence.lazy.map { $0.asObservable() }).subscribedOn(SharingStrategy.self)
        )
    }
}

extension Observable {
    /// Subscribes on the strategy's scheduler, for sequences that emit inside `subscribe`, which any thread may call.
    ///
    /// In a test's virtual time every thread stands in for that scheduler, so the subscription is not delayed.
    func subscribedOn<Strategy: SharingStrategyProtocol>(_ strategy: Strategy.Type) -> Observable<Element> {
        SharingScheduler.isMocked ? self : subscribe(on: Strategy.scheduler)
    }
}
