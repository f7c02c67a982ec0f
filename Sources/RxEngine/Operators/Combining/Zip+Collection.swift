extension ObservableType {
    /// What `resultSelector` makes of the elements with the same index of all of these.
    ///
    /// By the rules of two, but it also ends at an element that comes when all others have ended and one of them has
    /// nothing waiting for it. Where there is none, it ends at once.
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
            let slots = sources.map { _ in Waiting<Sources.Element.Element>() }
            let run = Combination(.zip, to: downstream, sources: sources.count) { run in
                try resultSelector(slots.map { $0.take(run) })
            }
            for (source, slot) in Swift.zip(sources, slots) { run.start(source, filling: slot) }
            return run.disposable
        }
    }

    /// The elements with the same index of all of these.
    @inlinable
    public static func zip<Sources: Swift.Collection>(_ collection: Sources) -> Observable<[Element]>
    where Sources.Element: ObservableType<Element> {
        .zip(collection) { $0 }
    }
}
