extension ObservableType where Element: ObservableConvertibleType {
    /// Emits the elements of all sequences that this one emits, as they arrive. Subscribes to each when it is emitted.
    ///
    ///     a           --1-----2--|
    ///     b                .--8--9--|
    ///     source      a----b--|
    ///     merge       --1-----82-9--|
    ///
    /// It completes when this sequence and all that it emitted have completed, and fails with the first error.
    ///
    /// Elements are delivered one at a time, on the thread that emits them; but an element that arrives while another
    /// is being delivered is queued, and the thread that is delivering, or one that takes over from it, delivers it
    /// too. A thread that has delivered for others for 256 elements or a millisecond hands over as soon as another one
    /// emits. That is likely but not certain to be soon, and a thread to which nobody succeeds delivers what is queued.
    ///
    /// The queue has no bound: a source is never blocked, which could be a deadlock where it emits from inside the
    /// observer's call, and no element is dropped. If the sources are faster than the observer, put
    /// ``ObservableType/observe(on:bufferSize:overflow:)`` behind each source, or behind the merge, which takes the
    /// observer's work off the sources' threads and bounds what is queued there.
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
