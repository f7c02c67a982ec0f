// Written by Scripts/arities.swift.
extension ObservableType {
    /// Combines the latest elements of three sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any, or that
    /// `resultSelector` throws. `resultSelector` and the observer are called on the thread that emits, by one thread
    /// at a time.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        resultSelector: @escaping @Sendable (E1, E2, E3) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3) = (source1.asObservable(), source2.asObservable(), source3.asObservable())
        return .source(.combineLatest) { downstream in
            let (input1, input2, input3) = (LatestInput<E1>(), LatestInput<E2>(), LatestInput<E3>())
            let run = CombineRun(.combineLatest, to: downstream, sources: 3) { _ in
                try resultSelector(input1.value, input2.value, input3.value)
            }
            run.start(source1, filling: input1)
            run.start(source2, filling: input2)
            run.start(source3, filling: input3)
            return run.disposable
        }
    }

    /// Combines the latest elements of four sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any, or that
    /// `resultSelector` throws. `resultSelector` and the observer are called on the thread that emits, by one thread
    /// at a time.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2, E3, E4>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, resultSelector: @escaping @Sendable (E1, E2, E3, E4) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable()
        )
        return .source(.combineLatest) { downstream in
            let (input1, input2, input3, input4) = (
                LatestInput<E1>(), LatestInput<E2>(), LatestInput<E3>(), LatestInput<E4>()
            )
            let run = CombineRun(.combineLatest, to: downstream, sources: 4) { _ in
                try resultSelector(input1.value, input2.value, input3.value, input4.value)
            }
            run.start(source1, filling: input1)
            run.start(source2, filling: input2)
            run.start(source3, filling: input3)
            run.start(source4, filling: input4)
            return run.disposable
        }
    }

    /// Combines the latest elements of five sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any, or that
    /// `resultSelector` throws. `resultSelector` and the observer are called on the thread that emits, by one thread
    /// at a time.
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
            let (input1, input2, input3, input4, input5) = (
                LatestInput<E1>(), LatestInput<E2>(), LatestInput<E3>(), LatestInput<E4>(), LatestInput<E5>()
            )
            let run = CombineRun(.combineLatest, to: downstream, sources: 5) { _ in
                try resultSelector(input1.value, input2.value, input3.value, input4.value, input5.value)
            }
            run.start(source1, filling: input1)
            run.start(source2, filling: input2)
            run.start(source3, filling: input3)
            run.start(source4, filling: input4)
            run.start(source5, filling: input5)
            return run.disposable
        }
    }

    /// Combines the latest elements of six sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any, or that
    /// `resultSelector` throws. `resultSelector` and the observer are called on the thread that emits, by one thread
    /// at a time.
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
            let (input1, input2, input3, input4, input5, input6) = (
                LatestInput<E1>(), LatestInput<E2>(), LatestInput<E3>(), LatestInput<E4>(), LatestInput<E5>(),
                LatestInput<E6>()
            )
            let run = CombineRun(.combineLatest, to: downstream, sources: 6) { _ in
                try resultSelector(input1.value, input2.value, input3.value, input4.value, input5.value, input6.value)
            }
            run.start(source1, filling: input1)
            run.start(source2, filling: input2)
            run.start(source3, filling: input3)
            run.start(source4, filling: input4)
            run.start(source5, filling: input5)
            run.start(source6, filling: input6)
            return run.disposable
        }
    }

    /// Combines the latest elements of seven sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any, or that
    /// `resultSelector` throws. `resultSelector` and the observer are called on the thread that emits, by one thread
    /// at a time.
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
            let (input1, input2, input3, input4, input5, input6, input7) = (
                LatestInput<E1>(), LatestInput<E2>(), LatestInput<E3>(), LatestInput<E4>(), LatestInput<E5>(),
                LatestInput<E6>(), LatestInput<E7>()
            )
            let run = CombineRun(.combineLatest, to: downstream, sources: 7) { _ in
                try resultSelector(
                    input1.value, input2.value, input3.value, input4.value, input5.value, input6.value, input7.value)
            }
            run.start(source1, filling: input1)
            run.start(source2, filling: input2)
            run.start(source3, filling: input3)
            run.start(source4, filling: input4)
            run.start(source5, filling: input5)
            run.start(source6, filling: input6)
            run.start(source7, filling: input7)
            return run.disposable
        }
    }

    /// Combines the latest elements of eight sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any, or that
    /// `resultSelector` throws. `resultSelector` and the observer are called on the thread that emits, by one thread
    /// at a time.
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
            let (input1, input2, input3, input4, input5, input6, input7, input8) = (
                LatestInput<E1>(), LatestInput<E2>(), LatestInput<E3>(), LatestInput<E4>(), LatestInput<E5>(),
                LatestInput<E6>(), LatestInput<E7>(), LatestInput<E8>()
            )
            let run = CombineRun(.combineLatest, to: downstream, sources: 8) { _ in
                try resultSelector(
                    input1.value, input2.value, input3.value, input4.value, input5.value, input6.value, input7.value,
                    input8.value)
            }
            run.start(source1, filling: input1)
            run.start(source2, filling: input2)
            run.start(source3, filling: input3)
            run.start(source4, filling: input4)
            run.start(source5, filling: input5)
            run.start(source6, filling: input6)
            run.start(source7, filling: input7)
            run.start(source8, filling: input8)
            return run.disposable
        }
    }
}

extension ObservableType where Element == Any {
    /// Emits the latest elements of two sequences as a tuple at each element, once both have emitted.
    ///
    /// It completes when both have completed. If one completes without having emitted, the result continues until the
    /// next element of the other, at which it completes. It fails with the first error of either. The observer is
    /// called on the thread that emits, by one thread at a time.
    @inlinable
    public static func combineLatest<E1, E2>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>
    ) -> Observable<(E1, E2)> {
        .combineLatest(source1, source2) { ($0, $1) }
    }

    /// Emits the latest elements of three sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any. The
    /// observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func combineLatest<E1, E2, E3>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>
    ) -> Observable<(E1, E2, E3)> {
        .combineLatest(source1, source2, source3) { ($0, $1, $2) }
    }

    /// Emits the latest elements of four sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any. The
    /// observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>
    ) -> Observable<(E1, E2, E3, E4)> {
        .combineLatest(source1, source2, source3, source4) { ($0, $1, $2, $3) }
    }

    /// Emits the latest elements of five sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any. The
    /// observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>
    ) -> Observable<(E1, E2, E3, E4, E5)> {
        .combineLatest(source1, source2, source3, source4, source5) { ($0, $1, $2, $3, $4) }
    }

    /// Emits the latest elements of six sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any. The
    /// observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func combineLatest<E1, E2, E3, E4, E5, E6>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>
    ) -> Observable<(E1, E2, E3, E4, E5, E6)> {
        .combineLatest(source1, source2, source3, source4, source5, source6) { ($0, $1, $2, $3, $4, $5) }
    }

    /// Emits the latest elements of seven sequences as a tuple at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any. The
    /// observer is called on the thread that emits, by one thread at a time.
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
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any. The
    /// observer is called on the thread that emits, by one thread at a time.
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
