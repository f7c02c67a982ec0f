extension ObservableType {
    /// Combines the elements with the same index of two sequences with `resultSelector`.
    ///
    ///     first     --1--2-----3--|
    ///     second    ----a---b--------|
    ///     zip       ----1a--2b-------|
    ///
    /// It completes when both have completed, not before: zipped with a sequence that never completes, it never does.
    /// Elements that have no counterpart then are dropped; until then they are queued without bound. It fails with the
    /// first error of either, or that `resultSelector` throws. `resultSelector` and the observer are called on the
    /// thread that emits, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>,
        resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2) = (source1.asObservable(), source2.asObservable())
        return .source(.zip) { downstream in
            let (a, b) = (QueuedInput<E1>(), QueuedInput<E2>())
            let run = CombineRun(.zip, to: downstream, sources: 2, completesUnmatched: false) {
                try resultSelector(a.take($0), b.take($0))
            }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            return run.disposable
        }
    }
}

/// Queues a source's elements until every other source has one with the same index.
@usableFromInline
final class QueuedInput<Element>: CombineInput<Element> {
    @exclusivity(unchecked) private var elements = RingBuffer<Element>()

    @usableFromInline
    override init() {}

    override func put(_ element: Element, _ run: AnyCombineRun) {
        if elements.isEmpty { run.emptyInputs -= 1 }
        elements.append(element)
    }

    /// Removes the first element and returns it. An input that is then empty increases ``AnyCombineRun/emptyInputs``.
    @usableFromInline
    func take(_ run: AnyCombineRun) -> Element {
        let element = elements.removeFirst()
        if elements.isEmpty { run.emptyInputs += 1 }
        return element
    }
}
