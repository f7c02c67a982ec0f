extension ObservableType {
    /// Combines the latest elements of three sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any, or that `resultSelector` throws.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        resultSelector: @escaping @Sendable (E1, E2, E3) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3) = (source1.asObservable(), source2.asObservable(), source3.asObservable())
        return .source(.combineLatest) { downstream in
            let (a, b, c) = (Latest<E1>(), Latest<E2>(), Latest<E3>())
            let run = Combination(.combineLatest, to: downstream, sources: 3) { _ in
                try resultSelector(a.value, b.value, c.value)
            }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            run.start(source3, filling: c)
            return run.disposable
        }
    }

    /// Combines the latest elements of four sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any, or that `resultSelector` throws.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3, E4>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable()
        )
        return .source(.combineLatest) { downstream in
            let (a, b, c, d) = (Latest<E1>(), Latest<E2>(), Latest<E3>(), Latest<E4>())
            let run = Combination(.combineLatest, to: downstream, sources: 4) { _ in
                try resultSelector(a.value, b.value, c.value, d.value)
            }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            run.start(source3, filling: c)
            run.start(source4, filling: d)
            return run.disposable
        }
    }

    /// Combines the latest elements of five sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any, or that `resultSelector` throws.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4, source5) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
            source5.asObservable()
        )
        return .source(.combineLatest) { downstream in
            let (a, b, c, d, e) = (Latest<E1>(), Latest<E2>(), Latest<E3>(), Latest<E4>(), Latest<E5>())
            let run = Combination(.combineLatest, to: downstream, sources: 5) { _ in
                try resultSelector(a.value, b.value, c.value, d.value, e.value)
            }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            run.start(source3, filling: c)
            run.start(source4, filling: d)
            run.start(source5, filling: e)
            return run.disposable
        }
    }

    /// Combines the latest elements of six sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any, or that `resultSelector` throws.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4, source5, source6) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
            source5.asObservable(), source6.asObservable()
        )
        return .source(.combineLatest) { downstream in
            let (a, b, c, d, e, f) = (
                Latest<E1>(), Latest<E2>(), Latest<E3>(), Latest<E4>(), Latest<E5>(), Latest<E6>()
            )
            let run = Combination(.combineLatest, to: downstream, sources: 6) { _ in
                try resultSelector(a.value, b.value, c.value, d.value, e.value, f.value)
            }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            run.start(source3, filling: c)
            run.start(source4, filling: d)
            run.start(source5, filling: e)
            run.start(source6, filling: f)
            return run.disposable
        }
    }

    /// Combines the latest elements of seven sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any, or that `resultSelector` throws.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>,
        _ source7: some ObservableType<E7>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4, source5, source6, source7) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
            source5.asObservable(), source6.asObservable(), source7.asObservable()
        )
        return .source(.combineLatest) { downstream in
            let (a, b, c, d, e, f, g) = (
                Latest<E1>(), Latest<E2>(), Latest<E3>(), Latest<E4>(), Latest<E5>(), Latest<E6>(), Latest<E7>()
            )
            let run = Combination(.combineLatest, to: downstream, sources: 7) { _ in
                try resultSelector(a.value, b.value, c.value, d.value, e.value, f.value, g.value)
            }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            run.start(source3, filling: c)
            run.start(source4, filling: d)
            run.start(source5, filling: e)
            run.start(source6, filling: f)
            run.start(source7, filling: g)
            return run.disposable
        }
    }

    /// Combines the latest elements of eight sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any, or that `resultSelector` throws.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>,
        _ source7: some ObservableType<E7>, _ source8: some ObservableType<E8>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4, source5, source6, source7, source8) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
            source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable()
        )
        return .source(.combineLatest) { downstream in
            let (a, b, c, d, e, f, g, h) = (
                Latest<E1>(), Latest<E2>(), Latest<E3>(), Latest<E4>(), Latest<E5>(), Latest<E6>(), Latest<E7>(),
                Latest<E8>()
            )
            let run = Combination(.combineLatest, to: downstream, sources: 8) { _ in
                try resultSelector(a.value, b.value, c.value, d.value, e.value, f.value, g.value, h.value)
            }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            run.start(source3, filling: c)
            run.start(source4, filling: d)
            run.start(source5, filling: e)
            run.start(source6, filling: f)
            run.start(source7, filling: g)
            run.start(source8, filling: h)
            return run.disposable
        }
    }
}
