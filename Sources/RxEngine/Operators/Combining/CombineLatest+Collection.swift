extension ObservableType {
    /// Combines the latest elements of all sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any, or that
    /// `resultSelector` throws. An empty collection emits one result, of no elements, and completes.
    /// `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    ///
    /// - Complexity: O(*n*) for each result, with *n* sequences.
    @preconcurrency
    @inlinable
    public static func combineLatest<Sources: Swift.Collection>(
        _ collection: Sources, resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
    ) -> Observable<Element> where Sources.Element: ObservableType {
        let sources = collection.map { $0.asObservable() }
        return .source(.combineLatest) { downstream in
            let inputs = sources.map { _ in LatestInput<Sources.Element.Element>() }
            let run = CombineRun(.combineLatest, to: downstream, sources: sources.count) { _ in
                try resultSelector(inputs.map { $0.value })
            }
            if sources.isEmpty { run.emitOnlyResult() }
            for (source, input) in Swift.zip(sources, inputs) { run.start(source, filling: input) }
            return run.disposable
        }
    }

    /// Emits the latest elements of all sequences as an array at each element, once all have emitted.
    ///
    /// It completes when all have completed. It also completes at an element that can never be combined, because all
    /// other sequences have completed and one of them has never emitted. It fails with the first error of any. An empty
    /// collection emits an empty array and completes.
    /// The observer is called on the thread that emits, by one thread at a time.
    ///
    /// - Complexity: O(*n*) for each result, with *n* sequences.
    @inlinable
    public static func combineLatest<Sources: Swift.Collection>(_ collection: Sources) -> Observable<[Element]>
    where Sources.Element: ObservableType<Element> {
        .combineLatest(collection) { $0 }
    }
}
