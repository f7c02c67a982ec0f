// Written by Scripts/arities.swift.
extension InfallibleType {
    /// Combines the elements with the same index of two sequences with `resultSelector`.
    ///
    ///     first     --1--2-----3--|
    ///     second    ----a---b--------|
    ///     zip       ----1a--2b-------|
    ///
    /// It completes when both have completed, not before. Elements are queued without bound until the other has one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>,
        resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> Infallible<Element> {
        Infallible(guarding: .zip(source1.asObservable(), source2.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the elements with the same index of three sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        resultSelector: @escaping @Sendable (E1, E2, E3) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the elements with the same index of four sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, resultSelector: @escaping @Sendable (E1, E2, E3, E4) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                resultSelector: resultSelector))
    }

    /// Combines the elements with the same index of five sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the elements with the same index of six sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the elements with the same index of seven sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        _ source7: some InfallibleType<E7>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the elements with the same index of eight sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes
    /// the result. `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        _ source7: some InfallibleType<E7>, _ source8: some InfallibleType<E8>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable(),
                resultSelector: resultSelector))
    }
}

extension InfallibleType where Element == Any {
    /// Emits the elements with the same index of two sequences as a tuple.
    ///
    /// It completes when both have completed, not before. Elements are queued without bound until the other has one
    /// with the same index. The observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func zip<E1, E2>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>
    ) -> Infallible<(E1, E2)> {
        Infallible(.zip(source1.asObservable(), source2.asObservable()) { ($0, $1) })
    }

    /// Emits the elements with the same index of three sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>
    ) -> Infallible<(E1, E2, E3)> {
        Infallible(.zip(source1.asObservable(), source2.asObservable(), source3.asObservable()) { ($0, $1, $2) })
    }

    /// Emits the elements with the same index of four sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3, E4>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>
    ) -> Infallible<(E1, E2, E3, E4)> {
        Infallible(
            .zip(source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable()) {
                ($0, $1, $2, $3)
            })
    }

    /// Emits the elements with the same index of five sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>
    ) -> Infallible<(E1, E2, E3, E4, E5)> {
        Infallible(
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable()
            ) { ($0, $1, $2, $3, $4) })
    }

    /// Emits the elements with the same index of six sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6)> {
        Infallible(
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable()
            ) { ($0, $1, $2, $3, $4, $5) })
    }

    /// Emits the elements with the same index of seven sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        _ source7: some InfallibleType<E7>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6, E7)> {
        Infallible(
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6) })
    }

    /// Emits the elements with the same index of eight sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. The observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        _ source7: some InfallibleType<E7>, _ source8: some InfallibleType<E8>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6, E7, E8)> {
        Infallible(
            .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6, $7) })
    }
}
