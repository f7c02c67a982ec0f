// Written by Scripts/arities.swift.
extension ObservableType {
    /// Combines the elements with the same index of three sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any, or that `resultSelector` throws. `resultSelector`
    /// and the observer are called on the thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        resultSelector: @escaping @Sendable (E1, E2, E3) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3) = (source1.asObservable(), source2.asObservable(), source3.asObservable())
        return .source(.zip) { downstream in
            let (input1, input2, input3) = (QueuedInput<E1>(), QueuedInput<E2>(), QueuedInput<E3>())
            let run = CombineRun(.zip, to: downstream, sources: 3, completesUnmatched: false) {
                try resultSelector(input1.take($0), input2.take($0), input3.take($0))
            }
            run.start(source1, filling: input1)
            run.start(source2, filling: input2)
            run.start(source3, filling: input3)
            return run.disposable
        }
    }

    /// Combines the elements with the same index of four sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any, or that `resultSelector` throws. `resultSelector`
    /// and the observer are called on the thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2, E3, E4>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, resultSelector: @escaping @Sendable (E1, E2, E3, E4) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2, source3, source4) = (
            source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable()
        )
        return .source(.zip) { downstream in
            let (input1, input2, input3, input4) = (
                QueuedInput<E1>(), QueuedInput<E2>(), QueuedInput<E3>(), QueuedInput<E4>()
            )
            let run = CombineRun(.zip, to: downstream, sources: 4, completesUnmatched: false) {
                try resultSelector(input1.take($0), input2.take($0), input3.take($0), input4.take($0))
            }
            run.start(source1, filling: input1)
            run.start(source2, filling: input2)
            run.start(source3, filling: input3)
            run.start(source4, filling: input4)
            return run.disposable
        }
    }

    /// Combines the elements with the same index of five sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any, or that `resultSelector` throws. `resultSelector`
    /// and the observer are called on the thread that emits, by one thread at a time.
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
            let (input1, input2, input3, input4, input5) = (
                QueuedInput<E1>(), QueuedInput<E2>(), QueuedInput<E3>(), QueuedInput<E4>(), QueuedInput<E5>()
            )
            let run = CombineRun(.zip, to: downstream, sources: 5, completesUnmatched: false) {
                try resultSelector(input1.take($0), input2.take($0), input3.take($0), input4.take($0), input5.take($0))
            }
            run.start(source1, filling: input1)
            run.start(source2, filling: input2)
            run.start(source3, filling: input3)
            run.start(source4, filling: input4)
            run.start(source5, filling: input5)
            return run.disposable
        }
    }

    /// Combines the elements with the same index of six sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any, or that `resultSelector` throws. `resultSelector`
    /// and the observer are called on the thread that emits, by one thread at a time.
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
            let (input1, input2, input3, input4, input5, input6) = (
                QueuedInput<E1>(), QueuedInput<E2>(), QueuedInput<E3>(), QueuedInput<E4>(), QueuedInput<E5>(),
                QueuedInput<E6>()
            )
            let run = CombineRun(.zip, to: downstream, sources: 6, completesUnmatched: false) {
                try resultSelector(
                    input1.take($0), input2.take($0), input3.take($0), input4.take($0), input5.take($0), input6.take($0)
                )
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

    /// Combines the elements with the same index of seven sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any, or that `resultSelector` throws. `resultSelector`
    /// and the observer are called on the thread that emits, by one thread at a time.
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
            let (input1, input2, input3, input4, input5, input6, input7) = (
                QueuedInput<E1>(), QueuedInput<E2>(), QueuedInput<E3>(), QueuedInput<E4>(), QueuedInput<E5>(),
                QueuedInput<E6>(), QueuedInput<E7>()
            )
            let run = CombineRun(.zip, to: downstream, sources: 7, completesUnmatched: false) {
                try resultSelector(
                    input1.take($0), input2.take($0), input3.take($0), input4.take($0), input5.take($0),
                    input6.take($0), input7.take($0))
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

    /// Combines the elements with the same index of eight sequences with `resultSelector`.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any, or that `resultSelector` throws. `resultSelector`
    /// and the observer are called on the thread that emits, by one thread at a time.
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
            let (input1, input2, input3, input4, input5, input6, input7, input8) = (
                QueuedInput<E1>(), QueuedInput<E2>(), QueuedInput<E3>(), QueuedInput<E4>(), QueuedInput<E5>(),
                QueuedInput<E6>(), QueuedInput<E7>(), QueuedInput<E8>()
            )
            let run = CombineRun(.zip, to: downstream, sources: 8, completesUnmatched: false) {
                try resultSelector(
                    input1.take($0), input2.take($0), input3.take($0), input4.take($0), input5.take($0),
                    input6.take($0), input7.take($0), input8.take($0))
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
    /// Emits the elements with the same index of two sequences as a tuple.
    ///
    /// It completes when both have completed, not before. Elements are queued without bound until the other has one
    /// with the same index. It fails with the first error of either. The observer is called on the thread that emits,
    /// by one thread at a time.
    @inlinable
    public static func zip<E1, E2>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>
    ) -> Observable<(E1, E2)> {
        .zip(source1, source2) { ($0, $1) }
    }

    /// Emits the elements with the same index of three sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any. The observer is called on the thread that emits, by
    /// one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>
    ) -> Observable<(E1, E2, E3)> {
        .zip(source1, source2, source3) { ($0, $1, $2) }
    }

    /// Emits the elements with the same index of four sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any. The observer is called on the thread that emits, by
    /// one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3, E4>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>
    ) -> Observable<(E1, E2, E3, E4)> {
        .zip(source1, source2, source3, source4) { ($0, $1, $2, $3) }
    }

    /// Emits the elements with the same index of five sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any. The observer is called on the thread that emits, by
    /// one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>
    ) -> Observable<(E1, E2, E3, E4, E5)> {
        .zip(source1, source2, source3, source4, source5) { ($0, $1, $2, $3, $4) }
    }

    /// Emits the elements with the same index of six sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any. The observer is called on the thread that emits, by
    /// one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>
    ) -> Observable<(E1, E2, E3, E4, E5, E6)> {
        .zip(source1, source2, source3, source4, source5, source6) { ($0, $1, $2, $3, $4, $5) }
    }

    /// Emits the elements with the same index of seven sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any. The observer is called on the thread that emits, by
    /// one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>,
        _ source7: some ObservableType<E7>
    ) -> Observable<(E1, E2, E3, E4, E5, E6, E7)> {
        .zip(source1, source2, source3, source4, source5, source6, source7) { ($0, $1, $2, $3, $4, $5, $6) }
    }

    /// Emits the elements with the same index of eight sequences as a tuple.
    ///
    /// It completes when all have completed, not before. Elements are queued without bound until the others have one
    /// with the same index. It fails with the first error of any. The observer is called on the thread that emits, by
    /// one thread at a time.
    @inlinable
    public static func zip<E1, E2, E3, E4, E5, E6, E7, E8>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>, _ source3: some ObservableType<E3>,
        _ source4: some ObservableType<E4>, _ source5: some ObservableType<E5>, _ source6: some ObservableType<E6>,
        _ source7: some ObservableType<E7>, _ source8: some ObservableType<E8>
    ) -> Observable<(E1, E2, E3, E4, E5, E6, E7, E8)> {
        .zip(source1, source2, source3, source4, source5, source6, source7, source8) {
            ($0, $1, $2, $3, $4, $5, $6, $7)
        }
    }
}
