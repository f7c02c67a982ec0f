extension ObservableType {
    /// What `resultSelector` makes of the elements with the same index of three sequences, by the rules of two: it ends
    /// when all have ended.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        resultSelector: @escaping @Sendable (E1, E2, E3) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3) = (source1.asObservable(), source2.asObservable(), source3.asObservable())
        return .source(.zip) { downstream in
            let run = Combination(.zip, to: downstream, sources: 3, endsAlone: false)
            let (a, b, c) = (Waiting<E1>(of: run), Waiting<E2>(of: run), Waiting<E3>(of: run))
            run.result = { try resultSelector(a.take(), b.take(), c.take()) }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            run.start(source3, filling: c)
            return run.disposable
        }
    }

    /// What `resultSelector` makes of the elements with the same index of four sequences, by the rules of two: it ends
    /// when all have ended.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable()
        )
        return .source(.zip) { downstream in
            let run = Combination(.zip, to: downstream, sources: 4, endsAlone: false)
            let (a, b, c, d) = (Waiting<E1>(of: run), Waiting<E2>(of: run), Waiting<E3>(of: run), Waiting<E4>(of: run))
            run.result = { try resultSelector(a.take(), b.take(), c.take(), d.take()) }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            run.start(source3, filling: c)
            run.start(source4, filling: d)
            return run.disposable
        }
    }

    /// What `resultSelector` makes of the elements with the same index of five sequences, by the rules of two: it ends
    /// when all have ended.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4, source5) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
            source5.asObservable()
        )
        return .source(.zip) { downstream in
            let run = Combination(.zip, to: downstream, sources: 5, endsAlone: false)
            let (a, b, c, d, e) = (
                Waiting<E1>(of: run), Waiting<E2>(of: run), Waiting<E3>(of: run), Waiting<E4>(of: run),
                Waiting<E5>(of: run)
            )
            run.result = { try resultSelector(a.take(), b.take(), c.take(), d.take(), e.take()) }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            run.start(source3, filling: c)
            run.start(source4, filling: d)
            run.start(source5, filling: e)
            return run.disposable
        }
    }

    /// What `resultSelector` makes of the elements with the same index of six sequences, by the rules of two: it ends
    /// when all have ended.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4, source5, source6) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
            source5.asObservable(), source6.asObservable()
        )
        return .source(.zip) { downstream in
            let run = Combination(.zip, to: downstream, sources: 6, endsAlone: false)
            let (a, b, c, d, e, f) = (
                Waiting<E1>(of: run), Waiting<E2>(of: run), Waiting<E3>(of: run), Waiting<E4>(of: run),
                Waiting<E5>(of: run), Waiting<E6>(of: run)
            )
            run.result = { try resultSelector(a.take(), b.take(), c.take(), d.take(), e.take(), f.take()) }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            run.start(source3, filling: c)
            run.start(source4, filling: d)
            run.start(source5, filling: e)
            run.start(source6, filling: f)
            return run.disposable
        }
    }

    /// What `resultSelector` makes of the elements with the same index of seven sequences, by the rules of two: it ends
    /// when all have ended.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>,
        _ source7: some ObservableType<E7>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4, source5, source6, source7) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
            source5.asObservable(), source6.asObservable(), source7.asObservable()
        )
        return .source(.zip) { downstream in
            let run = Combination(.zip, to: downstream, sources: 7, endsAlone: false)
            let (a, b, c, d, e, f, g) = (
                Waiting<E1>(of: run), Waiting<E2>(of: run), Waiting<E3>(of: run), Waiting<E4>(of: run),
                Waiting<E5>(of: run), Waiting<E6>(of: run), Waiting<E7>(of: run)
            )
            run.result = { try resultSelector(a.take(), b.take(), c.take(), d.take(), e.take(), f.take(), g.take()) }
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

    /// What `resultSelector` makes of the elements with the same index of eight sequences, by the rules of two: it ends
    /// when all have ended.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>,
        _ source7: some ObservableType<E7>, _ source8: some ObservableType<E8>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4, source5, source6, source7, source8) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
            source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable()
        )
        return .source(.zip) { downstream in
            let run = Combination(.zip, to: downstream, sources: 8, endsAlone: false)
            let (a, b, c, d, e, f, g, h) = (
                Waiting<E1>(of: run), Waiting<E2>(of: run), Waiting<E3>(of: run), Waiting<E4>(of: run),
                Waiting<E5>(of: run), Waiting<E6>(of: run), Waiting<E7>(of: run), Waiting<E8>(of: run)
            )
            run.result = {
                try resultSelector(a.take(), b.take(), c.take(), d.take(), e.take(), f.take(), g.take(), h.take())
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
