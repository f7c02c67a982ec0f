// Written by Scripts/arities.swift.
extension SharedSequenceConvertibleType {
    /// Combines the elements with the same index of two sequences with `resultSelector`.
    ///
    ///     first     --1--2-----3--|
    ///     second    ----a---b--------|
    ///     zip       ----1a--2b-------|
    ///
    /// It completes when both have completed, not before. Elements are queued without bound until the other has one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the strategy's scheduler: the main thread for a
    /// ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func zip<E1, E2>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.zip(source1.asObservable(), source2.asObservable(), resultSelector: resultSelector).guarded())
    }

    /// Combines the elements with the same index of three sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the strategy's scheduler: the main thread for a
    /// ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func zip<E1, E2, E3>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        resultSelector: @escaping @Sendable (E1, E2, E3) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the elements with the same index of four sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the strategy's scheduler: the main thread for a
    /// ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func zip<E1, E2, E3, E4>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the elements with the same index of five sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the strategy's scheduler: the main thread for a
    /// ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the elements with the same index of six sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the strategy's scheduler: the main thread for a
    /// ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>,
        _ source6: some SharedSequenceConvertibleType<SharingStrategy, E6>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the elements with the same index of seven sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the strategy's scheduler: the main thread for a
    /// ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>,
        _ source6: some SharedSequenceConvertibleType<SharingStrategy, E6>,
        _ source7: some SharedSequenceConvertibleType<SharingStrategy, E7>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the elements with the same index of eight sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the strategy's scheduler: the main thread for a
    /// ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>,
        _ source6: some SharedSequenceConvertibleType<SharingStrategy, E6>,
        _ source7: some SharedSequenceConvertibleType<SharingStrategy, E7>,
        _ source8: some SharedSequenceConvertibleType<SharingStrategy, E8>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable(),
                resultSelector: resultSelector
            ).guarded())
    }
}

extension SharedSequenceConvertibleType where Element == Any {
    /// Emits the elements with the same index of two sequences as a tuple.
    ///
    /// It completes when both have completed, not before. Elements are queued without bound until the other has one
    /// with the same index. The observer is called on the strategy's scheduler: the main thread for a ``Driver`` and a
    /// ``Signal``.
    public static func zip<E1, E2>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>
    ) -> SharedSequence<SharingStrategy, (E1, E2)> {
        SharedSequence(.zip(source1.asObservable(), source2.asObservable()) { ($0, $1) })
    }

    /// Emits the elements with the same index of three sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the strategy's scheduler: the main thread for a ``Driver`` and a
    /// ``Signal``.
    public static func zip<E1, E2, E3>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>
    ) -> SharedSequence<SharingStrategy, (E1, E2, E3)> {
        SharedSequence(.zip(source1.asObservable(), source2.asObservable(), source3.asObservable()) { ($0, $1, $2) })
    }

    /// Emits the elements with the same index of four sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the strategy's scheduler: the main thread for a ``Driver`` and a
    /// ``Signal``.
    public static func zip<E1, E2, E3, E4>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>
    ) -> SharedSequence<SharingStrategy, (E1, E2, E3, E4)> {
        SharedSequence(
            .zip(source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable()) {
                ($0, $1, $2, $3)
            })
    }

    /// Emits the elements with the same index of five sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the strategy's scheduler: the main thread for a ``Driver`` and a
    /// ``Signal``.
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>
    ) -> SharedSequence<SharingStrategy, (E1, E2, E3, E4, E5)> {
        SharedSequence(
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable()
            ) { ($0, $1, $2, $3, $4) })
    }

    /// Emits the elements with the same index of six sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the strategy's scheduler: the main thread for a ``Driver`` and a
    /// ``Signal``.
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>,
        _ source6: some SharedSequenceConvertibleType<SharingStrategy, E6>
    ) -> SharedSequence<SharingStrategy, (E1, E2, E3, E4, E5, E6)> {
        SharedSequence(
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable()
            ) { ($0, $1, $2, $3, $4, $5) })
    }

    /// Emits the elements with the same index of seven sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the strategy's scheduler: the main thread for a ``Driver`` and a
    /// ``Signal``.
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>,
        _ source6: some SharedSequenceConvertibleType<SharingStrategy, E6>,
        _ source7: some SharedSequenceConvertibleType<SharingStrategy, E7>
    ) -> SharedSequence<SharingStrategy, (E1, E2, E3, E4, E5, E6, E7)> {
        SharedSequence(
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6) })
    }

    /// Emits the elements with the same index of eight sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the strategy's scheduler: the main thread for a ``Driver`` and a
    /// ``Signal``.
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>,
        _ source6: some SharedSequenceConvertibleType<SharingStrategy, E6>,
        _ source7: some SharedSequenceConvertibleType<SharingStrategy, E7>,
        _ source8: some SharedSequenceConvertibleType<SharingStrategy, E8>
    ) -> SharedSequence<SharingStrategy, (E1, E2, E3, E4, E5, E6, E7, E8)> {
        SharedSequence(
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6, $7) })
    }
}
