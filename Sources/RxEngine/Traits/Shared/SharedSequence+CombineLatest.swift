extension SharedSequenceConvertibleType {
    /// Combines the latest elements of two sequences with `resultSelector` at each element, once both have emitted.
    ///
    ///     first               --1-----2----|
    ///     second              ----a-----b-----|
    ///     combineLatest       ----1a--2a2b----|
    ///
    /// It completes when both have completed. If one completes without having emitted, the result goes on until the
    /// next element of the other, at which it completes. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the sequence.
    @preconcurrency
    public static func combineLatest<S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType>(
        _ source1: S1, _ source2: S2, resultSelector: @escaping @Sendable (S1.Element, S2.Element) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element>
    where S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy {
        SharedSequence(
            Observable.combineLatest(source1.asObservable(), source2.asObservable(), resultSelector: resultSelector)
                .guarded())
    }

    /// Combines the latest elements of three sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the sequence.
    @preconcurrency
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType
    >(
        _ source1: S1, _ source2: S2, _ source3: S3,
        resultSelector: @escaping @Sendable (S1.Element, S2.Element, S3.Element) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element>
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            Observable.combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the latest elements of four sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the sequence.
    @preconcurrency
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType,
        S4: SharedSequenceConvertibleType
    >(
        _ source1: S1, _ source2: S2, _ source3: S3, _ source4: S4,
        resultSelector: @escaping @Sendable (S1.Element, S2.Element, S3.Element, S4.Element) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element>
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy, S4.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            Observable.combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the latest elements of five sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the sequence.
    @preconcurrency
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType,
        S4: SharedSequenceConvertibleType, S5: SharedSequenceConvertibleType
    >(
        _ source1: S1, _ source2: S2, _ source3: S3, _ source4: S4, _ source5: S5,
        resultSelector:
            @escaping @Sendable (S1.Element, S2.Element, S3.Element, S4.Element, S5.Element) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element>
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy, S4.SharingStrategy == SharingStrategy,
        S5.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            Observable.combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the latest elements of six sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the sequence.
    @preconcurrency
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType,
        S4: SharedSequenceConvertibleType, S5: SharedSequenceConvertibleType, S6: SharedSequenceConvertibleType
    >(
        _ source1: S1, _ source2: S2, _ source3: S3, _ source4: S4, _ source5: S5, _ source6: S6,
        resultSelector:
            @escaping @Sendable (S1.Element, S2.Element, S3.Element, S4.Element, S5.Element, S6.Element) throws ->
            Element
    ) -> SharedSequence<SharingStrategy, Element>
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy, S4.SharingStrategy == SharingStrategy,
        S5.SharingStrategy == SharingStrategy, S6.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            Observable.combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the latest elements of seven sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the sequence.
    @preconcurrency
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType,
        S4: SharedSequenceConvertibleType, S5: SharedSequenceConvertibleType, S6: SharedSequenceConvertibleType,
        S7: SharedSequenceConvertibleType
    >(
        _ source1: S1, _ source2: S2, _ source3: S3, _ source4: S4, _ source5: S5, _ source6: S6, _ source7: S7,
        resultSelector:
            @escaping @Sendable (S1.Element, S2.Element, S3.Element, S4.Element, S5.Element, S6.Element, S7.Element)
            throws -> Element
    ) -> SharedSequence<SharingStrategy, Element>
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy, S4.SharingStrategy == SharingStrategy,
        S5.SharingStrategy == SharingStrategy, S6.SharingStrategy == SharingStrategy,
        S7.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            Observable.combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the latest elements of eight sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the sequence.
    @preconcurrency
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType,
        S4: SharedSequenceConvertibleType, S5: SharedSequenceConvertibleType, S6: SharedSequenceConvertibleType,
        S7: SharedSequenceConvertibleType, S8: SharedSequenceConvertibleType
    >(
        _ source1: S1, _ source2: S2, _ source3: S3, _ source4: S4, _ source5: S5, _ source6: S6, _ source7: S7,
        _ source8: S8,
        resultSelector:
            @escaping @Sendable (
                S1.Element, S2.Element, S3.Element, S4.Element, S5.Element, S6.Element, S7.Element, S8.Element
            ) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element>
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy, S4.SharingStrategy == SharingStrategy,
        S5.SharingStrategy == SharingStrategy, S6.SharingStrategy == SharingStrategy,
        S7.SharingStrategy == SharingStrategy, S8.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            Observable.combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable(),
                resultSelector: resultSelector
            ).guarded())
    }
}

extension SharedSequenceConvertibleType where Element == Any {
    /// Emits the latest elements of two sequences as a tuple at each element, once both have emitted.
    ///
    /// It completes when both have completed. If one completes without having emitted, the result goes on until the
    /// next element of the other, at which it completes.
    public static func combineLatest<S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType>(
        _ source1: S1, _ source2: S2
    ) -> SharedSequence<SharingStrategy, (S1.Element, S2.Element)>
    where S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy {
        SharedSequence(.combineLatest(source1.asObservable(), source2.asObservable()) { ($0, $1) })
    }

    /// Emits the latest elements of three sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType
    >(_ source1: S1, _ source2: S2, _ source3: S3) -> SharedSequence<
        SharingStrategy, (S1.Element, S2.Element, S3.Element)
    >
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            .combineLatest(source1.asObservable(), source2.asObservable(), source3.asObservable()) { ($0, $1, $2) })
    }

    /// Emits the latest elements of four sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType,
        S4: SharedSequenceConvertibleType
    >(_ source1: S1, _ source2: S2, _ source3: S3, _ source4: S4) -> SharedSequence<
        SharingStrategy, (S1.Element, S2.Element, S3.Element, S4.Element)
    >
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy, S4.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable()
            ) { ($0, $1, $2, $3) })
    }

    /// Emits the latest elements of five sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType,
        S4: SharedSequenceConvertibleType, S5: SharedSequenceConvertibleType
    >(_ source1: S1, _ source2: S2, _ source3: S3, _ source4: S4, _ source5: S5) -> SharedSequence<
        SharingStrategy, (S1.Element, S2.Element, S3.Element, S4.Element, S5.Element)
    >
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy, S4.SharingStrategy == SharingStrategy,
        S5.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable()
            ) { ($0, $1, $2, $3, $4) })
    }

    /// Emits the latest elements of six sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType,
        S4: SharedSequenceConvertibleType, S5: SharedSequenceConvertibleType, S6: SharedSequenceConvertibleType
    >(_ source1: S1, _ source2: S2, _ source3: S3, _ source4: S4, _ source5: S5, _ source6: S6) -> SharedSequence<
        SharingStrategy, (S1.Element, S2.Element, S3.Element, S4.Element, S5.Element, S6.Element)
    >
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy, S4.SharingStrategy == SharingStrategy,
        S5.SharingStrategy == SharingStrategy, S6.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable()
            ) { ($0, $1, $2, $3, $4, $5) })
    }

    /// Emits the latest elements of seven sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType,
        S4: SharedSequenceConvertibleType, S5: SharedSequenceConvertibleType, S6: SharedSequenceConvertibleType,
        S7: SharedSequenceConvertibleType
    >(_ source1: S1, _ source2: S2, _ source3: S3, _ source4: S4, _ source5: S5, _ source6: S6, _ source7: S7)
        -> SharedSequence<
            SharingStrategy, (S1.Element, S2.Element, S3.Element, S4.Element, S5.Element, S6.Element, S7.Element)
        >
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy, S4.SharingStrategy == SharingStrategy,
        S5.SharingStrategy == SharingStrategy, S6.SharingStrategy == SharingStrategy,
        S7.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6) })
    }

    /// Emits the latest elements of eight sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    public static func combineLatest<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType,
        S4: SharedSequenceConvertibleType, S5: SharedSequenceConvertibleType, S6: SharedSequenceConvertibleType,
        S7: SharedSequenceConvertibleType, S8: SharedSequenceConvertibleType
    >(
        _ source1: S1, _ source2: S2, _ source3: S3, _ source4: S4, _ source5: S5, _ source6: S6, _ source7: S7,
        _ source8: S8
    ) -> SharedSequence<
        SharingStrategy,
        (S1.Element, S2.Element, S3.Element, S4.Element, S5.Element, S6.Element, S7.Element, S8.Element)
    >
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy, S4.SharingStrategy == SharingStrategy,
        S5.SharingStrategy == SharingStrategy, S6.SharingStrategy == SharingStrategy,
        S7.SharingStrategy == SharingStrategy, S8.SharingStrategy == SharingStrategy
    {
        SharedSequence(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6, $7) })
    }
}
