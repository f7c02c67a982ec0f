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
    /// too. A thread that has delivered for others for 256 elements or a millisecond offers to hand over to another
    /// thread that emits. If no thread emits during the offer, it continues, and may deliver everything that is queued.
    ///
    /// The queue has no bound: a source is never blocked, which could be a deadlock if it emits from inside the
    /// observer's call, and no element is dropped. If the sources are faster than the observer, put
    /// ``ObservableType/observe(on:bufferSize:overflow:drops:)`` behind each source, or behind the merge, which takes
    /// the observer's work off the sources' threads and bounds the queue there.
    @inlinable
    public func merge() -> Observable<Element.Element> {
        let upstream = asObservable()
        if upstream.isScalar { return .redirecting(.merge, upstream) { $0.asObservable() } }
        return .source(.merge) { MergeRun(.merge, into: $0).run(upstream) { $0.asObservable() } }
    }

    /// Emits the elements of the sequences that this one emits, running at most `maxConcurrent` of them at a time.
    ///
    ///     a                       --1--2--|
    ///     b                               .--8--|
    ///     source                  a-b--|
    ///     merge(maxConcurrent: 1) --1--2-----8--|
    ///
    /// Further sequences are queued, without bound, and subscribed to in order when others complete. It completes when
    /// this sequence and all that it emitted have completed, and fails with the first error. One element is delivered at
    /// a time, on the thread of its source or on the thread that was delivering when it arrived; see
    /// ``ObservableType/merge()``.
    @inlinable
    public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
        precondition(maxConcurrent > 0, "merge(maxConcurrent:): the limit must be positive, but is \(maxConcurrent)")
        let upstream = asObservable()
        if upstream.isScalar { return .redirecting(.merge, upstream) { $0.asObservable() } }
        return .source(.merge) {
            LimitedMergeRun(.merge, limit: maxConcurrent, into: $0).run(upstream) { $0.asObservable() }
        }
    }
}

extension ObservableType {
    /// Emits the elements of all these sequences, as they arrive. Subscribes to them in order.
    ///
    ///     a           --1-----2--|
    ///     b           -----8--9-----|
    ///     merge       --1--8--29----|
    ///
    /// It completes when all have completed, and fails with the first error. One element is delivered at a time, on the
    /// thread of its source or on the thread that was delivering when it arrived; see ``ObservableType/merge()``.
    @inlinable
    public static func merge(_ sources: some Swift.Collection<Observable<Element>>) -> Observable<Element> {
        merge(Array(sources))
    }

    /// Emits the elements of all these sequences, as they arrive. Subscribes to them in order.
    ///
    /// It completes when all have completed, and fails with the first error. One element is delivered at a time, on the
    /// thread of its source or on the thread that was delivering when it arrived; see ``ObservableType/merge()``.
    @inlinable
    public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
        .source(.merge) { MergeRun(.merge, into: $0).run(sources) }
    }

    /// Emits the elements of all these sequences, as they arrive. Subscribes to them in order.
    ///
    /// It completes when all have completed, and fails with the first error. One element is delivered at a time, on the
    /// thread of its source or on the thread that was delivering when it arrived; see ``ObservableType/merge()``.
    @inlinable
    public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
        merge(sources)
    }
}

extension MergeRun {
    /// Starts these sources. All are registered before the first starts, so that none of them can end the run alone.
    ///
    /// - Returns: the disposable of the operator's run.
    @usableFromInline
    final func run(_ all: [Observable<Element>]) -> any Disposable {
        if all.isEmpty { terminate(with: .completed) }
        // Neither a map nor a zip of the array: generic collections look types up at run time.
        let runs = (0..<all.count).map { _ in
            let live = makeLive()
            return (key: sources.add(live) ?? 0, live: live)
        }
        for index in 0..<all.count where runs[index].live.isActive {
            let (key, live) = runs[index]
            live.attach(all[index].run(MergeSourceSink(into: self, key, live)))
        }
        return sources
    }
}
