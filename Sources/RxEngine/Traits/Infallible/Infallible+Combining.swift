extension InfallibleType {
    /// Emits the elements of this sequence and, when it has completed, those of `second`.
    ///
    ///     source    --1--|
    ///     second         --2--|
    ///     concat    --1----2--|
    ///
    /// It completes with `second`. An error of `second` goes to ``Hooks/defaultErrorHandler`` and completes the result.
    /// Each sequence delivers on its own threads.
    @inlinable
    public func concat(_ second: some ObservableConvertibleType<Element>) -> Infallible<Element> {
        Infallible(asObservable().concat(second.guarded()))
    }

    /// Emits the elements of this sequence and, when it has completed, those of `second`.
    ///
    /// This overload lets the compiler infer the type: `concat(.just(1))`.
    /// It completes with `second`. Each sequence delivers on its own threads.
    @inlinable
    public func concat(_ second: Infallible<Element>) -> Infallible<Element> {
        Infallible(asObservable().concat(second.asObservable()))
    }

    /// Emits the elements of the sequences one after the other, and completes with the last.
    ///
    /// The next one is pulled from `sequence` when the one before it has completed.
    /// Each sequence delivers on its own threads.
    @inlinable
    public static func concat(_ sequence: some Swift.Sequence<Infallible<Element>>) -> Infallible<Element> {
        Infallible(.concat(sequence.lazy.map { $0.asObservable() }))
    }

    /// Emits the elements of the sequences one after the other, and completes with the last.
    ///
    /// Each sequence delivers on its own threads.
    @inlinable
    public static func concat(_ collection: some Swift.Collection<Infallible<Element>>) -> Infallible<Element> {
        Infallible(.concat(collection.map { $0.asObservable() }))
    }

    /// Emits the elements of the sequences one after the other, and completes with the last.
    ///
    /// Each sequence delivers on its own threads.
    @inlinable
    public static func concat(_ sources: Infallible<Element>...) -> Infallible<Element> {
        concat(sources)
    }

    /// Subscribes to all sequences at once and emits their elements as they arrive.
    ///
    ///     first     --1-----3--|
    ///     second    -----2--------|
    ///     merge     --1--2--3-----|
    ///
    /// It completes when all have completed. One element is delivered at a time, on the thread of its source or on the
    /// thread that was delivering when it arrived.
    @inlinable
    public static func merge(_ sources: some Swift.Collection<Infallible<Element>>) -> Infallible<Element> {
        merge(Array(sources))
    }

    /// Subscribes to all sequences at once and emits their elements as they arrive.
    ///
    /// It completes when all have completed. One element is delivered at a time, on the thread of its source or on the
    /// thread that was delivering when it arrived.
    @inlinable
    public static func merge(_ sources: [Infallible<Element>]) -> Infallible<Element> {
        Infallible(.merge(sources.map { $0.asObservable() }))
    }

    /// Subscribes to all sequences at once and emits their elements as they arrive.
    ///
    /// It completes when all have completed. One element is delivered at a time, on the thread of its source or on the
    /// thread that was delivering when it arrived.
    @inlinable
    public static func merge(_ sources: Infallible<Element>...) -> Infallible<Element> {
        merge(sources)
    }

    /// Emits `element` inside `subscribe`, then the elements of this sequence.
    ///
    ///     source          --1--2--|
    ///     startWith(0)    0-1--2--|
    ///
    /// It completes with this sequence. `element` is delivered on the subscribing thread, and the others on the threads
    /// that emit them.
    @inlinable
    public func startWith(_ element: Element) -> Infallible<Element> {
        Infallible(asObservable().startWith(element))
    }

    /// Emits the latest element of `second` at each element of this sequence.
    ///
    ///     source            --1-----2--3--|
    ///     second            ----a-b-------|
    ///     withLatestFrom    --------b--b--|
    ///
    /// Elements that precede the first of `second` are dropped. It completes with this sequence.
    /// The observer is called on the thread of this sequence.
    @inlinable
    public func withLatestFrom<Other>(_ second: some InfallibleType<Other>) -> Infallible<Other> {
        Infallible<Other>(asObservable().withLatestFrom(second.asObservable()))
    }

    /// Emits the result of `resultSelector` for each element and the latest one of `second`.
    ///
    ///     source            --1-----2--3--|
    ///     second            ----a-b-------|
    ///     withLatestFrom    --------2b-3b-|
    ///
    /// Elements that precede the first of `second` are dropped. It completes with this sequence. An error that
    /// `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes the result.
    /// `resultSelector` and the observer are called on the thread of this sequence.
    @preconcurrency
    @inlinable
    public func withLatestFrom<Other, Result>(
        _ second: some InfallibleType<Other>, resultSelector: @escaping @Sendable (Element, Other) throws -> Result
    ) -> Infallible<Result> {
        Infallible<Result>(
            guarding: asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the latest elements of all sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An empty collection emits one result, of no
    /// elements, and completes.
    /// `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func combineLatest<Sources: Swift.Collection>(
        _ collection: Sources, resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Sources.Element: InfallibleType {
        Infallible(
            guarding: .combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// Emits the latest elements of all sequences as an array at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An empty collection emits an empty array and
    /// completes.
    /// The observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func combineLatest<Sources: Swift.Collection>(_ collection: Sources) -> Infallible<[Element]>
    where Sources.Element: InfallibleType<Element> {
        Infallible<[Element]>(Observable.combineLatest(collection.map { $0.asObservable() }))
    }

    /// Emits the result of `resultSelector` for the elements with the same index of all sequences.
    ///
    /// It completes when all have completed. It also completes at an element that can have no partner, because all
    /// other sequences have completed and one of them has no queued element. Elements without partners are dropped. An
    /// error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes the result.
    /// `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    ///
    /// - Complexity: keeps each element until every other sequence has emitted its partner.
    @preconcurrency
    @inlinable
    public static func zip<Sources: Swift.Collection>(
        _ collection: Sources, resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Sources.Element: InfallibleType {
        Infallible(guarding: .zip(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// Emits the first elements of all sequences as an array, then the second ones, and so on.
    ///
    /// It completes when all have completed. It also completes at an element that can have no partner, because all
    /// other sequences have completed and one of them has no queued element. Elements without partners are dropped.
    /// The observer is called on the thread that emits, by one thread at a time.
    ///
    /// - Complexity: keeps each element until every other sequence has emitted its partner.
    @inlinable
    public static func zip<Sources: Swift.Collection>(_ collection: Sources) -> Infallible<[Element]>
    where Sources.Element: InfallibleType<Element> {
        Infallible<[Element]>(Observable.zip(collection.map { $0.asObservable() }))
    }

    /// Combines the elements with the same index of two sequences, until both have completed.
    ///
    /// `resultSelector` gets `nil` in place of the elements that the shorter sequence lacks.
    ///
    ///     first             --1--2-----3--|
    ///     second            ----a-|
    ///     zip(longest:_:)   ----1a2·---3·-|     with · for nil
    ///
    /// It completes when both have completed and all their elements are emitted. An error that `resultSelector` throws
    /// goes to ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on
    /// the thread that emits or completes, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2>(
        longest source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>,
        resultSelector: @escaping @Sendable (E1?, E2?) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .zip(longest: source1.asObservable(), source2.asObservable(), resultSelector: resultSelector))
    }

    /// Emits the elements with the same index of all sequences as an array, until all have completed.
    ///
    /// The array has `nil` in place of the elements that shorter sequences lack.
    ///
    /// It completes when all have completed and all their elements are emitted. An empty collection completes at once.
    /// The observer is called on the thread that emits or completes, by one thread at a time.
    ///
    /// - Complexity: O(*n*) for each result, with *n* sequences.
    @inlinable
    public static func zip<Sources: Swift.Collection>(longest collection: Sources) -> Infallible<[Element?]>
    where Sources.Element: InfallibleType<Element> {
        Infallible<[Element?]>(Observable.zip(longest: collection.map { $0.asObservable() }))
    }
}

extension InfallibleType where Element == Any {
    /// Emits the elements with the same index of two sequences as a tuple, until both have completed.
    ///
    /// The tuple has `nil` in place of the elements that the shorter sequence lacks.
    ///
    /// It completes when both have completed and all their elements are emitted.
    /// The observer is called on the thread that emits or completes, by one thread at a time.
    @inlinable
    public static func zip<E1, E2>(
        longest source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>
    ) -> Infallible<(E1?, E2?)> {
        Infallible<(E1?, E2?)>(Observable.zip(longest: source1.asObservable(), source2.asObservable()))
    }
}
