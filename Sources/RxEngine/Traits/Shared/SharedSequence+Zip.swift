extension SharedSequenceConvertibleType {
    /// What `resultSelector` makes of the first elements of two sequences, then of the second ones, and so on.
    ///
    ///     first       --1--2-----3--|
    ///     second      ----a----b-------|
    ///     zip         ----1a---2b------|
    ///
    /// It ends when both have. An error thrown by `resultSelector` goes to ``Hooks/defaultErrorHandler`` and ends the
    /// sequence.
    @preconcurrency
    public static func zip<S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType>(
        _ source1: S1, _ source2: S2, resultSelector: @escaping @Sendable (S1.Element, S2.Element) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element>
    where S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy {
        SharedSequence(
            Observable.zip(source1.asObservable(), source2.asObservable(), resultSelector: resultSelector).guarded())
    }

    /// What `resultSelector` makes of the first elements of three sequences, then of the second ones, and so on.
    @preconcurrency
    public static func zip<
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
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// What `resultSelector` makes of the first elements of four sequences, then of the second ones, and so on.
    @preconcurrency
    public static func zip<
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
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                resultSelector: resultSelector
            ).guarded())
    }

    /// What `resultSelector` makes of the first elements of five sequences, then of the second ones, and so on.
    @preconcurrency
    public static func zip<
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
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// What `resultSelector` makes of the first elements of six sequences, then of the second ones, and so on.
    @preconcurrency
    public static func zip<
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
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// What `resultSelector` makes of the first elements of seven sequences, then of the second ones, and so on.
    @preconcurrency
    public static func zip<
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
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// What `resultSelector` makes of the first elements of eight sequences, then of the second ones, and so on.
    @preconcurrency
    public static func zip<
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
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable(),
                resultSelector: resultSelector
            ).guarded())
    }
}

extension SharedSequenceConvertibleType where Element == Any {
    /// The first elements of two sequences as a tuple, then the second ones, and so on.
    public static func zip<S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType>(
        _ source1: S1, _ source2: S2
    ) -> SharedSequence<SharingStrategy, (S1.Element, S2.Element)>
    where S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy {
        SharedSequence(.zip(source1.asObservable(), source2.asObservable()) { ($0, $1) })
    }

    /// The first elements of three sequences as a tuple, then the second ones, and so on.
    public static func zip<
        S1: SharedSequenceConvertibleType, S2: SharedSequenceConvertibleType, S3: SharedSequenceConvertibleType
    >(_ source1: S1, _ source2: S2, _ source3: S3) -> SharedSequence<
        SharingStrategy, (S1.Element, S2.Element, S3.Element)
    >
    where
        S1.SharingStrategy == SharingStrategy, S2.SharingStrategy == SharingStrategy,
        S3.SharingStrategy == SharingStrategy
    {
        SharedSequence(.zip(source1.asObservable(), source2.asObservable(), source3.asObservable()) { ($0, $1, $2) })
    }

    /// The first elements of four sequences as a tuple, then the second ones, and so on.
    public static func zip<
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
            .zip(source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable()) {
                ($0, $1, $2, $3)
            })
    }

    /// The first elements of five sequences as a tuple, then the second ones, and so on.
    public static func zip<
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
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable()
            ) { ($0, $1, $2, $3, $4) })
    }

    /// The first elements of six sequences as a tuple, then the second ones, and so on.
    public static func zip<
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
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable()
            ) { ($0, $1, $2, $3, $4, $5) })
    }

    /// The first elements of seven sequences as a tuple, then the second ones, and so on.
    public static func zip<
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
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6) })
    }

    /// The first elements of eight sequences as a tuple, then the second ones, and so on.
    public static func zip<
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
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6, $7) })
    }
}
