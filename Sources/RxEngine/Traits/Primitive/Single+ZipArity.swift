// Written by Scripts/arities.swift.
extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Subscribes to two singles at once and emits the result of `resultSelector` for their elements.
    ///
    ///     first     ---1|
    ///     second    -----2|
    ///     zip       -----(1, 2)|
    ///
    /// It emits when both have emitted. The first error, or one that `resultSelector` throws, fails the result and
    /// disposes the other. `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2>(
        _ source1: Single<E1>, _ source2: Single<E2>, resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> Single<Element> {
        Single(raw: .zip(source1.source, source2.source, resultSelector: resultSelector))
    }

    /// Subscribes to three singles at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. The first error, or one that `resultSelector` throws, fails the result and
    /// disposes the others. `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>,
        resultSelector: @escaping @Sendable (E1, E2, E3) throws -> Element
    ) -> Single<Element> {
        Single(raw: .zip(source1.source, source2.source, source3.source, resultSelector: resultSelector))
    }

    /// Subscribes to four singles at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. The first error, or one that `resultSelector` throws, fails the result and
    /// disposes the others. `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4) throws -> Element
    ) -> Single<Element> {
        Single(
            raw: .zip(source1.source, source2.source, source3.source, source4.source, resultSelector: resultSelector))
    }

    /// Subscribes to five singles at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. The first error, or one that `resultSelector` throws, fails the result and
    /// disposes the others. `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5) throws -> Element
    ) -> Single<Element> {
        Single(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source,
                resultSelector: resultSelector))
    }

    /// Subscribes to six singles at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. The first error, or one that `resultSelector` throws, fails the result and
    /// disposes the others. `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> Single<Element> {
        Single(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source, source6.source,
                resultSelector: resultSelector))
    }

    /// Subscribes to seven singles at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. The first error, or one that `resultSelector` throws, fails the result and
    /// disposes the others. `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>, _ source7: Single<E7>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> Single<Element> {
        Single(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source, source6.source,
                source7.source, resultSelector: resultSelector))
    }

    /// Subscribes to eight singles at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. The first error, or one that `resultSelector` throws, fails the result and
    /// disposes the others. `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>, _ source7: Single<E7>, _ source8: Single<E8>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> Single<Element> {
        Single(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source, source6.source,
                source7.source, source8.source, resultSelector: resultSelector))
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait, Element == Any {
    /// Subscribes to two singles at once and emits their elements as a tuple.
    ///
    /// It emits when both have emitted. The first error fails the result and disposes the other. The observer is
    /// called on a thread of one of the sources.
    @inlinable
    public static func zip<E1, E2>(
        _ source1: Single<E1>, _ source2: Single<E2>
    ) -> Single<(E1, E2)> {
        Single(raw: .zip(source1.source, source2.source) { ($0, $1) })
    }

    /// Subscribes to three singles at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. The first error fails the result and disposes the others. The observer is
    /// called on a thread of one of the sources.
    @inlinable
    public static func zip<E1, E2, E3>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>
    ) -> Single<(E1, E2, E3)> {
        Single(raw: .zip(source1.source, source2.source, source3.source) { ($0, $1, $2) })
    }

    /// Subscribes to four singles at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. The first error fails the result and disposes the others. The observer is
    /// called on a thread of one of the sources.
    @inlinable
    public static func zip<E1, E2, E3, E4>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>
    ) -> Single<(E1, E2, E3, E4)> {
        Single(raw: .zip(source1.source, source2.source, source3.source, source4.source) { ($0, $1, $2, $3) })
    }

    /// Subscribes to five singles at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. The first error fails the result and disposes the others. The observer is
    /// called on a thread of one of the sources.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>
    ) -> Single<(E1, E2, E3, E4, E5)> {
        Single(
            raw: .zip(source1.source, source2.source, source3.source, source4.source, source5.source) {
                ($0, $1, $2, $3, $4)
            })
    }

    /// Subscribes to six singles at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. The first error fails the result and disposes the others. The observer is
    /// called on a thread of one of the sources.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>
    ) -> Single<(E1, E2, E3, E4, E5, E6)> {
        Single(
            raw: .zip(source1.source, source2.source, source3.source, source4.source, source5.source, source6.source) {
                ($0, $1, $2, $3, $4, $5)
            })
    }

    /// Subscribes to seven singles at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. The first error fails the result and disposes the others. The observer is
    /// called on a thread of one of the sources.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>, _ source7: Single<E7>
    ) -> Single<(E1, E2, E3, E4, E5, E6, E7)> {
        Single(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source, source6.source,
                source7.source
            ) { ($0, $1, $2, $3, $4, $5, $6) })
    }

    /// Subscribes to eight singles at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. The first error fails the result and disposes the others. The observer is
    /// called on a thread of one of the sources.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: Single<E1>, _ source2: Single<E2>, _ source3: Single<E3>, _ source4: Single<E4>,
        _ source5: Single<E5>, _ source6: Single<E6>, _ source7: Single<E7>, _ source8: Single<E8>
    ) -> Single<(E1, E2, E3, E4, E5, E6, E7, E8)> {
        Single(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source, source6.source,
                source7.source, source8.source
            ) { ($0, $1, $2, $3, $4, $5, $6, $7) })
    }
}
