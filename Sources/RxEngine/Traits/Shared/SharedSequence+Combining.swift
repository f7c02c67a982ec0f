extension SharedSequenceConvertibleType {
    /// Emits `element`, then the elements of this sequence.
    ///
    ///     source              --1--2--|
    ///     startWith(0)        0-1--2--|
    ///
    /// Subscribes on the strategy's scheduler, which for a ``Driver`` and a ``Signal`` is the main thread, so that
    /// `element` is delivered there too.
    public func startWith(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().startWith(element).subscribedOn(SharingStrategy.self))
    }

    /// This sequence's elements, each with the latest of `second`, which may be of another strategy, through
    /// `resultSelector`; those that come before one of `second` are dropped.
    @preconcurrency
    public func withLatestFrom<Second: SharedSequenceConvertibleType, Result>(
        _ second: Second, resultSelector: @escaping @Sendable (Element, Second.Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    /// The latest element of `second`, which may be of another strategy, at each of this sequence; those that come
    /// before one of `second` are dropped.
    ///
    ///     source      ----x----x--x--|
    ///     second      --1---2----3---->
    ///     result      ----1----2--3--|
    public func withLatestFrom<Second: SharedSequenceConvertibleType>(
        _ second: Second
    ) -> SharedSequence<SharingStrategy, Second.Element> {
        SharedSequence(asObservable().withLatestFrom(second.asObservable()))
    }
}

extension SharedSequenceConvertibleType where Element: SharedSequenceConvertibleType {
    /// The elements of the latest inner sequence.
    public func switchLatest() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence(asObservable().switchLatest())
    }

    /// The elements of all inner sequences, as they come.
    public func merge() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence(asObservable().merge())
    }

    /// The elements of `maxConcurrent` inner sequences at a time, as they come; the rest wait for their turn.
    public func merge(maxConcurrent: Int) -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence(asObservable().merge(maxConcurrent: maxConcurrent))
    }
}

extension SharedSequenceConvertibleType {
    /// The elements of all the sequences, as they come.
    ///
    ///     first       --1-----2--|
    ///     second      ----8-----9--|
    ///     merge       --1-8---2-9--|
    public static func merge<Sources: Collection>(_ sources: Sources) -> SharedSequence<SharingStrategy, Element>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        sources.isEmpty ? .empty() : SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    /// The elements of all the sequences, as they come.
    public static func merge(
        _ sources: SharedSequence<SharingStrategy, Element>...
    ) -> SharedSequence<SharingStrategy, Element> {
        merge(sources)
    }

    /// Emits the elements of the sequences one after the other. The next sequence is taken from `sequence` when the one
    /// before it has completed.
    ///
    ///     first       --1--2--|
    ///     second              --8--|
    ///     concat      --1--2----8--|
    ///
    /// Subscribes on the strategy's scheduler, which for a ``Driver`` and a ``Signal`` is the main thread.
    public static func concat<Sources: Sequence>(_ sequence: Sources) -> SharedSequence<SharingStrategy, Element>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.concat(sequence.lazy.map { $0.asObservable() }).subscribedOn(SharingStrategy.self)
        )
    }
}

extension Observable {
    /// For what is told inside `subscribe`, which need not have been called on the strategy's scheduler. In a test's
    /// virtual time it always is, and nothing need be put off.
    func subscribedOn<Strategy: SharingStrategyProtocol>(_ strategy: Strategy.Type) -> Observable<Element> {
        SharingScheduler.isMocked ? self : subscribe(on: Strategy.scheduler)
    }
}
