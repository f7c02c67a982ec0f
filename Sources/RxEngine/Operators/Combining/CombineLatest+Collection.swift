extension ObservableType {
    /// What `resultSelector` makes of the latest elements of all of these, at each element once all have one.
    ///
    /// By the rules of two; where there is none, it is what `resultSelector` makes of nothing, and the end.
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

    /// The latest elements of all of these, at each element once all have one.
    @inlinable
    public static func combineLatest<Sources: Swift.Collection>(_ collection: Sources) -> Observable<[Element]>
    where Sources.Element: ObservableType<Element> {
        .combineLatest(collection) { $0 }
    }
}
