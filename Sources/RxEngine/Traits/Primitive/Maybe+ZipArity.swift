// Written by Scripts/arities.swift.
extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Subscribes to two maybes at once and emits the result of `resultSelector` for their elements.
    ///
    ///     first     ---1|             first     ---|
    ///     second    -----2|           second    -----2|
    ///     zip       -----(1, 2)|      zip       -----|
    ///
    /// It emits when both have emitted. If one of them has no element, the result completes without one when both have
    /// completed. The first error, or one that `resultSelector` throws, fails the result and disposes the other.
    /// `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> Maybe<Element> {
        Maybe(raw: .zip(source1.source, source2.source, resultSelector: resultSelector))
    }

    /// Subscribes to three maybes at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error, or one that `resultSelector` throws, fails the result and disposes the others.
    /// `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>,
        resultSelector: @escaping @Sendable (E1, E2, E3) throws -> Element
    ) -> Maybe<Element> {
        Maybe(raw: .zip(source1.source, source2.source, source3.source, resultSelector: resultSelector))
    }

    /// Subscribes to four maybes at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error, or one that `resultSelector` throws, fails the result and disposes the others.
    /// `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4) throws -> Element
    ) -> Maybe<Element> {
        Maybe(raw: .zip(source1.source, source2.source, source3.source, source4.source, resultSelector: resultSelector))
    }

    /// Subscribes to five maybes at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error, or one that `resultSelector` throws, fails the result and disposes the others.
    /// `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5) throws -> Element
    ) -> Maybe<Element> {
        Maybe(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source,
                resultSelector: resultSelector))
    }

    /// Subscribes to six maybes at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error, or one that `resultSelector` throws, fails the result and disposes the others.
    /// `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>, resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> Maybe<Element> {
        Maybe(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source, source6.source,
                resultSelector: resultSelector))
    }

    /// Subscribes to seven maybes at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error, or one that `resultSelector` throws, fails the result and disposes the others.
    /// `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>, _ source7: Maybe<E7>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> Maybe<Element> {
        Maybe(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source, source6.source,
                source7.source, resultSelector: resultSelector))
    }

    /// Subscribes to eight maybes at once and emits the result of `resultSelector` for their elements.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error, or one that `resultSelector` throws, fails the result and disposes the others.
    /// `resultSelector` and the observer are called on a thread of one of the sources.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>, _ source7: Maybe<E7>, _ source8: Maybe<E8>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> Maybe<Element> {
        Maybe(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source, source6.source,
                source7.source, source8.source, resultSelector: resultSelector))
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait, Element == Any {
    /// Subscribes to two maybes at once and emits their elements as a tuple.
    ///
    /// It emits when both have emitted. If one of them has no element, the result completes without one when both have
    /// completed. The first error fails the result and disposes the other. The observer is called on a thread of one
    /// of the sources.
    @inlinable
    public static func zip<E1, E2>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>
    ) -> Maybe<(E1, E2)> {
        Maybe(raw: .zip(source1.source, source2.source) { ($0, $1) })
    }

    /// Subscribes to three maybes at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error fails the result and disposes the others. The observer is called on a thread of one
    /// of the sources.
    @inlinable
    public static func zip<E1, E2, E3>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>
    ) -> Maybe<(E1, E2, E3)> {
        Maybe(raw: .zip(source1.source, source2.source, source3.source) { ($0, $1, $2) })
    }

    /// Subscribes to four maybes at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error fails the result and disposes the others. The observer is called on a thread of one
    /// of the sources.
    @inlinable
    public static func zip<E1, E2, E3, E4>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>
    ) -> Maybe<(E1, E2, E3, E4)> {
        Maybe(raw: .zip(source1.source, source2.source, source3.source, source4.source) { ($0, $1, $2, $3) })
    }

    /// Subscribes to five maybes at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error fails the result and disposes the others. The observer is called on a thread of one
    /// of the sources.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>
    ) -> Maybe<(E1, E2, E3, E4, E5)> {
        Maybe(
            raw: .zip(source1.source, source2.source, source3.source, source4.source, source5.source) {
                ($0, $1, $2, $3, $4)
            })
    }

    /// Subscribes to six maybes at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error fails the result and disposes the others. The observer is called on a thread of one
    /// of the sources.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>
    ) -> Maybe<(E1, E2, E3, E4, E5, E6)> {
        Maybe(
            raw: .zip(source1.source, source2.source, source3.source, source4.source, source5.source, source6.source) {
                ($0, $1, $2, $3, $4, $5)
            })
    }

    /// Subscribes to seven maybes at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error fails the result and disposes the others. The observer is called on a thread of one
    /// of the sources.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>, _ source7: Maybe<E7>
    ) -> Maybe<(E1, E2, E3, E4, E5, E6, E7)> {
        Maybe(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source, source6.source,
                source7.source
            ) { ($0, $1, $2, $3, $4, $5, $6) })
    }

    /// Subscribes to eight maybes at once and emits their elements as a tuple.
    ///
    /// It emits when all have emitted. If one of them has no element, the result completes without one when all have
    /// completed. The first error fails the result and disposes the others. The observer is called on a thread of one
    /// of the sources.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: Maybe<E1>, _ source2: Maybe<E2>, _ source3: Maybe<E3>, _ source4: Maybe<E4>, _ source5: Maybe<E5>,
        _ source6: Maybe<E6>, _ source7: Maybe<E7>, _ source8: Maybe<E8>
    ) -> Maybe<(E1, E2, E3, E4, E5, E6, E7, E8)> {
        Maybe(
            raw: .zip(
                source1.source, source2.source, source3.source, source4.source, source5.source, source6.source,
                source7.source, source8.source
            ) { ($0, $1, $2, $3, $4, $5, $6, $7) })
    }
}
