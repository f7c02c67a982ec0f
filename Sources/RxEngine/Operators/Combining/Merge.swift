extension ObservableType where Element: ObservableConvertibleType {
    /// The elements of all the sequences that this one tells, as they come. A sequence is subscribed to when it is
    /// told.
    ///
    ///     a           --1-----2--|
    ///     b                .--8--9--|
    ///     source      a----b--|
    ///     merge       --1-----82-9--|
    ///
    /// It ends when this sequence and all it told have ended, or with the first error.
    @inlinable
    public func merge() -> Observable<Element.Element> {
        let upstream = asObservable()
        if upstream.isOnly { return .following(.merge, upstream) { $0.asObservable() } }
        return .source(.merge) { Confluence(.merge, into: $0).flow(upstream) { $0.asObservable() } }
    }

    /// The elements of the sequences that this one tells, no more than `maxConcurrent` of them at once: the others
    /// wait, and the next in line is subscribed to when one ends.
    ///
    ///     a                       --1--2--|
    ///     b                               .--8--|
    ///     source                  a-b--|
    ///     merge(maxConcurrent: 1) --1--2-----8--|
    ///
    /// It ends when this sequence and all it told have ended, or with the first error.
    @inlinable
    public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
        precondition(maxConcurrent > 0, "a merge runs at least one sequence at once, not \(maxConcurrent)")
        let upstream = asObservable()
        if upstream.isOnly { return .following(.merge, upstream) { $0.asObservable() } }
        return .source(.merge) {
            LimitedConfluence(.merge, limit: maxConcurrent, into: $0).flow(upstream) { $0.asObservable() }
        }
    }
}

extension ObservableType {
    /// The elements of all these sequences, as they come. They are subscribed to in order.
    ///
    ///     a           --1-----2--|
    ///     b           -----8--9-----|
    ///     merge       --1--8--29----|
    ///
    /// It ends when all have ended, or with the first error.
    @inlinable
    public static func merge<Sources: Swift.Collection>(_ sources: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        merge(Array(sources))
    }

    /// The elements of all these sequences, as they come, by the rules of a collection's.
    @inlinable
    public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
        .source(.merge) { Confluence(.merge, into: $0).flow(sources) }
    }

    /// The elements of all these sequences, as they come, by the rules of a collection's.
    @inlinable
    public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
        merge(sources)
    }
}

extension Confluence {
    /// Starts these sources. None ends the run before all have been counted.
    ///
    /// - Returns: what the operator's run returns.
    @usableFromInline
    final func flow(_ all: [Observable<Element>]) -> any Disposable {
        if all.isEmpty { stop(with: .completed) }
        // Neither a map nor a zip: generic collections ask the runtime for their types.
        let runs = (0..<all.count).map { _ in
            let live = LiveSubscription()
            return (key: sources.add(live) ?? 0, live: live)
        }
        for index in 0..<all.count where runs[index].live.isActive {
            let (key, live) = runs[index]
            live.attach(all[index].run(ConfluentSink(into: self, key, live)))
        }
        return sources
    }
}
