extension ObservableType {
    /// Combines the latest elements of two sequences, and delays their errors until both have ended.
    ///
    /// Otherwise it is ``combineLatest(_:_:resultSelector:)``.
    ///
    ///     first                       --1-----2--X
    ///     second                      ----a---------b--|
    ///     combineLatestDelayError     ----1a--2a----2b-X
    ///
    /// An error of a sequence is its end: its latest element is still combined with those of the other. Completes as
    /// ``combineLatest(_:_:resultSelector:)`` does; if a sequence has failed by then, the result fails instead, with a
    /// ``CompositeError`` of the errors. Fails at once with an error that `resultSelector` throws.
    /// `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func combineLatestDelayError<E1, E2>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>,
        resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2) = (source1.asObservable(), source2.asObservable())
        return .deferred {
            let errors = DelayedErrors()
            return errors.follow(
                .combineLatest(errors.delay(source1), errors.delay(source2), resultSelector: resultSelector))
        }
    }

    /// Combines the latest elements of all sequences, and delays their errors until all have ended.
    ///
    /// Otherwise it is `combineLatest` of a collection.
    ///
    /// An error of a sequence is its end: its latest element is still combined with those of the others. Completes as
    /// `combineLatest` does; if a sequence has failed by then, the result fails instead, with a ``CompositeError`` of
    /// the errors. Fails at once with an error that `resultSelector` throws.
    /// `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    ///
    /// - Complexity: O(*n*) for each result, with *n* sequences.
    @preconcurrency
    @inlinable
    public static func combineLatestDelayError<Sources: Swift.Collection>(
        _ collection: Sources, resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
    ) -> Observable<Element> where Sources.Element: ObservableType {
        let sources = collection.map { $0.asObservable() }
        return .deferred {
            let errors = DelayedErrors()
            return errors.follow(.combineLatest(sources.map { errors.delay($0) }, resultSelector: resultSelector))
        }
    }

    /// Emits the latest elements of all sequences as an array, and delays their errors until all have ended.
    ///
    /// Completes as `combineLatest` does; if a sequence has failed by then, the result fails instead, with a
    /// ``CompositeError`` of the errors.
    /// The observer is called on the thread that emits, by one thread at a time.
    ///
    /// - Complexity: O(*n*) for each result, with *n* sequences.
    @inlinable
    public static func combineLatestDelayError<Sources: Swift.Collection>(
        _ collection: Sources
    ) -> Observable<[Element]> where Sources.Element: ObservableType<Element> {
        .combineLatestDelayError(collection) { $0 }
    }
}

extension ObservableType where Element == Any {
    /// Emits the latest elements of two sequences as a tuple, and delays their errors until both have ended.
    ///
    /// Completes as ``combineLatest(_:_:)`` does; if a sequence has failed by then, the result fails instead, with a
    /// ``CompositeError`` of the errors. The observer is called on the thread that emits, by one thread at a time.
    @inlinable
    public static func combineLatestDelayError<E1, E2>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>
    ) -> Observable<(E1, E2)> {
        .combineLatestDelayError(source1, source2) { ($0, $1) }
    }
}
