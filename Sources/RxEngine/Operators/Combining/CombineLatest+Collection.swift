extension ObservableType {
    /// Combines the latest elements of all sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any, or that `resultSelector` throws. An empty
    /// collection emits one result, of no elements, and completes.
    @preconcurrency
    @inlinable
    public static func combineLatest<Sources: Swift.Collection>(
        _ collection: Sources, resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
    ) -> Observable<Element> where Sources.Element: ObservableType {
        let sources = collection.map { $0.asObservable() }
        return .source(.combineLatest) { downstream in
            let slots = sources.map { _ in Latest<Sources.Element.Element>() }
            let run = Combination(.combineLatest, to: downstream, sources: sources.count) { _ in
                try resultSelector(slots.map { $0.value })
            }
            if sources.isEmpty { run.tellOnlyResult() }
            for (source, slot) in Swift.zip(sources, slots) { run.start(source, filling: slot) }
            return run.disposable
        }
    }

    /// Emits the latest elements of all sequences as an array at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. It fails with the first error of any. An empty collection emits an empty array and
    /// completes.
    @inlinable
    public static func combineLatest<Sources: Swift.Collection>(_ collection: Sources) -> Observable<[Element]>
    where Sources.Element: ObservableType<Element> {
        .combineLatest(collection) { $0 }
    }
}
