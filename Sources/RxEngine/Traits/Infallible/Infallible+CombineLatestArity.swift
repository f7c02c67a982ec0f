extension InfallibleType {
    /// Combines the latest elements of two sequences with `resultSelector` at each element, once both have emitted.
    ///
    ///     first            --1-----2----|
    ///     second           ----a-----b-----|
    ///     combineLatest    ----1a--2a2b----|
    ///
    /// It completes when both have completed. If one completes without having emitted, the result goes on until the
    /// next element of the other, at which it completes.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>,
        resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .combineLatest(
                source1.asObservable(), source2.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the latest elements of three sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        resultSelector: @escaping @Sendable (E1, E2, E3) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the latest elements of four sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3, E4>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, resultSelector: @escaping @Sendable (E1, E2, E3, E4) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                resultSelector: resultSelector))
    }

    /// Combines the latest elements of five sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the latest elements of six sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the latest elements of seven sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        _ source7: some InfallibleType<E7>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the latest elements of eight sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        _ source7: some InfallibleType<E7>, _ source8: some InfallibleType<E8>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable(),
                resultSelector: resultSelector))
    }
}

extension InfallibleType where Element == Any {
    /// The elements of 2 sequences as tuples, by the rules of `combineLatest` with a closure.
    @inlinable
    public static func combineLatest<E1, E2>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>
    ) -> Infallible<(E1, E2)> {
        Infallible<(E1, E2)>.combineLatest(source1, source2) {
            ($0, $1)
        }
    }

    /// The elements of 3 sequences as tuples, by the rules of `combineLatest` with a closure.
    @inlinable
    public static func combineLatest<E1, E2, E3>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>
    ) -> Infallible<(E1, E2, E3)> {
        Infallible<(E1, E2, E3)>.combineLatest(source1, source2, source3) {
            ($0, $1, $2)
        }
    }

    /// The elements of 4 sequences as tuples, by the rules of `combineLatest` with a closure.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>
    ) -> Infallible<(E1, E2, E3, E4)> {
        Infallible<(E1, E2, E3, E4)>.combineLatest(source1, source2, source3, source4) {
            ($0, $1, $2, $3)
        }
    }

    /// The elements of 5 sequences as tuples, by the rules of `combineLatest` with a closure.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>
    ) -> Infallible<(E1, E2, E3, E4, E5)> {
        Infallible<(E1, E2, E3, E4, E5)>.combineLatest(source1, source2, source3, source4, source5) {
            ($0, $1, $2, $3, $4)
        }
    }

    /// The elements of 6 sequences as tuples, by the rules of `combineLatest` with a closure.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6)> {
        Infallible<(E1, E2, E3, E4, E5, E6)>.combineLatest(source1, source2, source3, source4, source5, source6) {
            ($0, $1, $2, $3, $4, $5)
        }
    }

    /// The elements of 7 sequences as tuples, by the rules of `combineLatest` with a closure.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        _ source7: some InfallibleType<E7>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6, E7)> {
        Infallible<(E1, E2, E3, E4, E5, E6, E7)>.combineLatest(
            source1, source2, source3, source4, source5, source6, source7
        ) {
            ($0, $1, $2, $3, $4, $5, $6)
        }
    }

    /// The elements of 8 sequences as tuples, by the rules of `combineLatest` with a closure.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        _ source7: some InfallibleType<E7>, _ source8: some InfallibleType<E8>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6, E7, E8)> {
        Infallible<(E1, E2, E3, E4, E5, E6, E7, E8)>.combineLatest(
            source1, source2, source3, source4, source5, source6, source7, source8
        ) {
            ($0, $1, $2, $3, $4, $5, $6, $7)
        }
    }
}
