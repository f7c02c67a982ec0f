// Written by Scripts/arities.swift.
extension InfallibleType {
    /// Combines the latest elements of two sequences with `resultSelector` at each element, once both have emitted.
    ///
    ///     first            --1-----2----|
    ///     second           ----a-----b-----|
    ///     combineLatest    ----1a--2a2b----|
    ///
    /// It completes when both have completed. If one completes without having emitted, the result continues until the
    /// next element of the other, at which it completes. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>,
        resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            guarding: .combineLatest(source1.asObservable(), source2.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the latest elements of three sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// thread that emits, by one thread at a time.
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
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// thread that emits, by one thread at a time.
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
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// thread that emits, by one thread at a time.
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
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// thread that emits, by one thread at a time.
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
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// thread that emits, by one thread at a time.
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
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// thread that emits, by one thread at a time.
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
    /// Emits the latest elements of two sequences as a tuple at each element, once both have emitted.
    ///
    /// It completes when both have completed. If one completes without having emitted, the result continues until the
    /// next element of the other, at which it completes. The observer is called on the thread that emits, by one
    /// thread at a time.
    @inlinable
    public static func combineLatest<E1, E2>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>
    ) -> Infallible<(E1, E2)> {
        Infallible(.combineLatest(source1.asObservable(), source2.asObservable()) { ($0, $1) })
    }

    /// Emits the latest elements of three sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the thread that
    /// emits, by one thread at a time.
    @inlinable
    public static func combineLatest<E1, E2, E3>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>
    ) -> Infallible<(E1, E2, E3)> {
        Infallible(
            .combineLatest(source1.asObservable(), source2.asObservable(), source3.asObservable()) { ($0, $1, $2) })
    }

    /// Emits the latest elements of four sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the thread that
    /// emits, by one thread at a time.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>
    ) -> Infallible<(E1, E2, E3, E4)> {
        Infallible(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable()
            ) { ($0, $1, $2, $3) })
    }

    /// Emits the latest elements of five sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the thread that
    /// emits, by one thread at a time.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>
    ) -> Infallible<(E1, E2, E3, E4, E5)> {
        Infallible(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable()
            ) { ($0, $1, $2, $3, $4) })
    }

    /// Emits the latest elements of six sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the thread that
    /// emits, by one thread at a time.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6)> {
        Infallible(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable()
            ) { ($0, $1, $2, $3, $4, $5) })
    }

    /// Emits the latest elements of seven sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the thread that
    /// emits, by one thread at a time.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        _ source7: some InfallibleType<E7>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6, E7)> {
        Infallible(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6) })
    }

    /// Emits the latest elements of eight sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the thread that
    /// emits, by one thread at a time.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: some InfallibleType<E1>, _ source2: some InfallibleType<E2>, _ source3: some InfallibleType<E3>,
        _ source4: some InfallibleType<E4>, _ source5: some InfallibleType<E5>, _ source6: some InfallibleType<E6>,
        _ source7: some InfallibleType<E7>, _ source8: some InfallibleType<E8>
    ) -> Infallible<(E1, E2, E3, E4, E5, E6, E7, E8)> {
        Infallible(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6, $7) })
    }
}
