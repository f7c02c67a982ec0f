extension ObservableType {
    /// Combines the elements with the same index of all sequences with `resultSelector`.
    ///
    /// It completes when all have completed. It also completes at an element that can have no counterpart, because all
    /// other sequences have completed and one of them has no queued element. It fails with the first error of any, or
    /// that `resultSelector` throws. An empty collection completes at once. Elements are queued without bound until all
    /// others have one with the same index.
    /// `resultSelector` and the observer are called on the thread that emits, by one thread at a time.
    ///
    /// - Complexity: O(*n*) for each result, with *n* sequences.
    @preconcurrency
    @inlinable
    public static func zip<Sources: Swift.Collection>(
        _ collection: Sources, resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
    ) -> Observable<Element> where Sources.Element: ObservableType {
        let sources = collection.map { $0.asObservable() }
        return .source(.zip) { downstream in
            guard !sources.isEmpty else {
                downstream.completed()
                return Disposables.create()
            }
            let inputs = sources.map { _ in QueuedInput<Sources.Element.Element>() }
            let run = CombineRun(.zip, to: downstream, sources: sources.count) { run in
                try resultSelector(inputs.map { $0.take(run) })
            }
            for (source, input) in Swift.zip(sources, inputs) { run.start(source, filling: input) }
            return run.disposable
        }
    }

    /// Emits the elements with the same index of all sequences as an array.
    ///
    /// It completes when all have completed. It also completes at an element that can have no counterpart, because all
    /// other sequences have completed and one of them has no queued element. It fails with the first error of any. An
    /// empty collection completes at once.
    /// The observer is called on the thread that emits, by one thread at a time.
    ///
    /// - Complexity: O(*n*) for each result, with *n* sequences.
    @inlinable
    public static func zip<Sources: Swift.Collection>(_ collection: Sources) -> Observable<[Element]>
    where Sources.Element: ObservableType<Element> {
        .zip(collection) { $0 }
    }
}
