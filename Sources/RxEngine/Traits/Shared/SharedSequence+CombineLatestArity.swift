// Written by Scripts/arities.swift.
extension SharedSequenceConvertibleType {
    /// Combines the latest elements of two sequences with `resultSelector` at each element, once both have emitted.
    ///
    ///     first            --1-----2----|
    ///     second           ----a-----b-----|
    ///     combineLatest    ----1a--2a2b----|
    ///
    /// It completes when both have completed. If one completes without having emitted, the result continues until the
    /// next element of the other, at which it completes. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// strategy's scheduler: the main thread for a ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func combineLatest<E1, E2>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.combineLatest(source1.asObservable(), source2.asObservable(), resultSelector: resultSelector)
                .guarded())
    }

    /// Combines the latest elements of three sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// strategy's scheduler: the main thread for a ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func combineLatest<E1, E2, E3>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        resultSelector: @escaping @Sendable (E1, E2, E3) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the latest elements of four sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// strategy's scheduler: the main thread for a ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func combineLatest<E1, E2, E3, E4>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the latest elements of five sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// strategy's scheduler: the main thread for a ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func combineLatest<E1, E2, E3, E4, E5>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the latest elements of six sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// strategy's scheduler: the main thread for a ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func combineLatest<E1, E2, E3, E4, E5, E6>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>,
        _ source6: some SharedSequenceConvertibleType<SharingStrategy, E6>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            Observable.combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the latest elements of seven sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// strategy's scheduler: the main thread for a ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7>(
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
            Observable.combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), resultSelector: resultSelector
            ).guarded())
    }

    /// Combines the latest elements of eight sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. An error that `resultSelector` throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the result. `resultSelector` and the observer are called on the
    /// strategy's scheduler: the main thread for a ``Driver`` and a ``Signal``.
    @preconcurrency
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7, E8>(
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
    /// It completes when both have completed. If one completes without having emitted, the result continues until the
    /// next element of the other, at which it completes. The observer is called on the strategy's scheduler: the main
    /// thread for a ``Driver`` and a ``Signal``.
    public static func combineLatest<E1, E2>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>
    ) -> SharedSequence<SharingStrategy, (E1, E2)> {
        SharedSequence(.combineLatest(source1.asObservable(), source2.asObservable()) { ($0, $1) })
    }

    /// Emits the latest elements of three sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the strategy's
    /// scheduler: the main thread for a ``Driver`` and a ``Signal``.
    public static func combineLatest<E1, E2, E3>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>
    ) -> SharedSequence<SharingStrategy, (E1, E2, E3)> {
        SharedSequence(
            .combineLatest(source1.asObservable(), source2.asObservable(), source3.asObservable()) { ($0, $1, $2) })
    }

    /// Emits the latest elements of four sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the strategy's
    /// scheduler: the main thread for a ``Driver`` and a ``Signal``.
    public static func combineLatest<E1, E2, E3, E4>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>
    ) -> SharedSequence<SharingStrategy, (E1, E2, E3, E4)> {
        SharedSequence(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable()
            ) { ($0, $1, $2, $3) })
    }

    /// Emits the latest elements of five sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the strategy's
    /// scheduler: the main thread for a ``Driver`` and a ``Signal``.
    public static func combineLatest<E1, E2, E3, E4, E5>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>
    ) -> SharedSequence<SharingStrategy, (E1, E2, E3, E4, E5)> {
        SharedSequence(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable()
            ) { ($0, $1, $2, $3, $4) })
    }

    /// Emits the latest elements of six sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the strategy's
    /// scheduler: the main thread for a ``Driver`` and a ``Signal``.
    public static func combineLatest<E1, E2, E3, E4, E5, E6>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>,
        _ source6: some SharedSequenceConvertibleType<SharingStrategy, E6>
    ) -> SharedSequence<SharingStrategy, (E1, E2, E3, E4, E5, E6)> {
        SharedSequence(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable()
            ) { ($0, $1, $2, $3, $4, $5) })
    }

    /// Emits the latest elements of seven sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the strategy's
    /// scheduler: the main thread for a ``Driver`` and a ``Signal``.
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some SharedSequenceConvertibleType<SharingStrategy, E1>,
        _ source2: some SharedSequenceConvertibleType<SharingStrategy, E2>,
        _ source3: some SharedSequenceConvertibleType<SharingStrategy, E3>,
        _ source4: some SharedSequenceConvertibleType<SharingStrategy, E4>,
        _ source5: some SharedSequenceConvertibleType<SharingStrategy, E5>,
        _ source6: some SharedSequenceConvertibleType<SharingStrategy, E6>,
        _ source7: some SharedSequenceConvertibleType<SharingStrategy, E7>
    ) -> SharedSequence<SharingStrategy, (E1, E2, E3, E4, E5, E6, E7)> {
        SharedSequence(
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6) })
    }

    /// Emits the latest elements of eight sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. The observer is called on the strategy's
    /// scheduler: the main thread for a ``Driver`` and a ``Signal``.
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7, E8>(
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
            .combineLatest(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable()
            ) { ($0, $1, $2, $3, $4, $5, $6, $7) })
    }
}
