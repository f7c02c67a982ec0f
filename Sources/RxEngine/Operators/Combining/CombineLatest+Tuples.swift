extension ObservableType where Element == Any {
    /// Emits the latest elements of two sequences as a tuple at each element, once both have emitted.
    ///
    /// It completes when both have completed. If one completes without having emitted, the result goes on until the
    /// next element of the other, at which it completes. It fails with the first error of either.
    @inlinable
    public static func combineLatest<E1, E2>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>
    ) -> Observable<(E1, E2)> {
        .combineLatest(source1, source2) { ($0, $1) }
    }

    /// Emits the latest elements of three sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any.
    @inlinable
    public static func combineLatest<E1, E2, E3>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>
    ) -> Observable<(E1, E2, E3)> {
        .combineLatest(source1, source2, source3) { ($0, $1, $2) }
    }

    /// Emits the latest elements of four sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>
    ) -> Observable<(E1, E2, E3, E4)> {
        .combineLatest(source1, source2, source3, source4) { ($0, $1, $2, $3) }
    }

    /// Emits the latest elements of five sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>
    ) -> Observable<(E1, E2, E3, E4, E5)> {
        .combineLatest(source1, source2, source3, source4, source5) { ($0, $1, $2, $3, $4) }
    }

    /// Emits the latest elements of six sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>
    ) -> Observable<(E1, E2, E3, E4, E5, E6)> {
        .combineLatest(source1, source2, source3, source4, source5, source6) { ($0, $1, $2, $3, $4, $5) }
    }

    /// Emits the latest elements of seven sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>,
        _ source7: some ObservableType<E7>
    ) -> Observable<(E1, E2, E3, E4, E5, E6, E7)> {
        .combineLatest(source1, source2, source3, source4, source5, source6, source7) { ($0, $1, $2, $3, $4, $5, $6) }
    }

    /// Emits the latest elements of eight sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>,
        _ source7: some ObservableType<E7>, _ source8: some ObservableType<E8>
    ) -> Observable<(E1, E2, E3, E4, E5, E6, E7, E8)> {
        .combineLatest(source1, source2, source3, source4, source5, source6, source7, source8) {
            ($0, $1, $2, $3, $4, $5, $6, $7)
        }
    }
}
