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
            let (a, b, c) = (Waiting<E1>(), Waiting<E2>(), Waiting<E3>())
            let run = Combination(.zip, to: downstream, sources: 3, endsAlone: false) {
                try resultSelector(a.take($0), b.take($0), c.take($0))
            }
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
            let (a, b, c, d) = (Waiting<E1>(), Waiting<E2>(), Waiting<E3>(), Waiting<E4>())
            let run = Combination(.zip, to: downstream, sources: 4, endsAlone: false) {
                try resultSelector(a.take($0), b.take($0), c.take($0), d.take($0))
            }
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
            let (a, b, c, d, e) = (Waiting<E1>(), Waiting<E2>(), Waiting<E3>(), Waiting<E4>(), Waiting<E5>())
            let run = Combination(.zip, to: downstream, sources: 5, endsAlone: false) {
                try resultSelector(a.take($0), b.take($0), c.take($0), d.take($0), e.take($0))
            }
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
            let (a, b, c, d, e, f) = (
                Waiting<E1>(), Waiting<E2>(), Waiting<E3>(), Waiting<E4>(), Waiting<E5>(), Waiting<E6>()
            )
            let run = Combination(.zip, to: downstream, sources: 6, endsAlone: false) {
                try resultSelector(a.take($0), b.take($0), c.take($0), d.take($0), e.take($0), f.take($0))
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
            let (a, b, c, d, e, f, g) = (
                Waiting<E1>(), Waiting<E2>(), Waiting<E3>(), Waiting<E4>(), Waiting<E5>(), Waiting<E6>(), Waiting<E7>()
            )
            let run = Combination(.zip, to: downstream, sources: 7, endsAlone: false) {
                try resultSelector(a.take($0), b.take($0), c.take($0), d.take($0), e.take($0), f.take($0), g.take($0))
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
            let (a, b, c, d, e, f, g, h) = (
                Waiting<E1>(), Waiting<E2>(), Waiting<E3>(), Waiting<E4>(), Waiting<E5>(), Waiting<E6>(),
                Waiting<E7>(), Waiting<E8>()
            )
            let run = Combination(.zip, to: downstream, sources: 8, endsAlone: false) {
                try resultSelector(
                    a.take($0), b.take($0), c.take($0), d.take($0), e.take($0), f.take($0), g.take($0), h.take($0))
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
