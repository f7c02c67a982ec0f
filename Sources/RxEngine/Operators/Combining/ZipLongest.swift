extension ObservableType {
    /// Combines the elements with the same index of two sequences, until both have completed.
    ///
    /// `resultSelector` gets `nil` in place of the elements that the shorter sequence lacks.
    ///
    ///     first             --1--2-----3--|
    ///     second            ----a-|
    ///     zip(longest:_:)   ----1a2·---3·-|     with · for nil
    ///
    /// Completes when both have completed and all their elements are emitted. Elements are queued without bound until
    /// the other sequence has one with the same index, or has completed. Fails with the first error of either, or that
    /// `resultSelector` throws, and drops the queued elements. `resultSelector` and the observer are called on the
    /// thread that emits or completes, by one thread at a time.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2>(
        longest source1: some ObservableType<E1>, _ source2: some ObservableType<E2>,
        resultSelector: @escaping @Sendable (E1?, E2?) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2) = (source1.asObservable(), source2.asObservable())
        return .source(.zip) { downstream in
            let row = PaddedRow()
            let (a, b) = (PaddedInput<E1>(in: row), PaddedInput<E2>(in: row))
            let run = CombineRun(.zip, to: downstream, sources: 2, completesUnmatched: false) {
                try resultSelector(a.take($0), b.take($0))
            }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            return run.disposable
        }
    }

    /// Combines the elements with the same index of all sequences, until all have completed.
    ///
    /// `resultSelector` gets `nil` in place of the elements that shorter sequences lack.
    ///
    /// Completes when all have completed and all their elements are emitted. An empty collection completes at once.
    /// Elements are queued without bound until every other sequence has one with the same index, or has completed.
    /// Fails with the first error of any, or that `resultSelector` throws, and drops the queued elements.
    /// `resultSelector` and the observer are called on the thread that emits or completes, by one thread at a time.
    ///
    /// - Complexity: O(*n*) for each result, with *n* sequences.
    @preconcurrency
    @inlinable
    public static func zip<Sources: Swift.Collection>(
        longest collection: Sources, resultSelector: @escaping @Sendable ([Sources.Element.Element?]) throws -> Element
    ) -> Observable<Element> where Sources.Element: ObservableType {
        let sources = collection.map { $0.asObservable() }
        return .source(.zip) { downstream in
            guard !sources.isEmpty else {
                downstream.completed()
                return Disposables.create()
            }
            let row = PaddedRow()
            let inputs = sources.map { _ in PaddedInput<Sources.Element.Element>(in: row) }
            let run = CombineRun(.zip, to: downstream, sources: sources.count, completesUnmatched: false) { run in
                try resultSelector(inputs.map { $0.take(run) })
            }
            for (source, input) in Swift.zip(sources, inputs) { run.start(source, filling: input) }
            return run.disposable
        }
    }

    /// Emits the elements with the same index of all sequences as an array, until all have completed.
    ///
    /// The array has `nil` in place of the elements that shorter sequences lack.
    ///
    /// Completes when all have completed and all their elements are emitted. An empty collection completes at once.
    /// Fails with the first error of any, and drops the queued elements.
    /// The observer is called on the thread that emits or completes, by one thread at a time.
    ///
    /// - Complexity: O(*n*) for each result, with *n* sequences.
    @inlinable
    public static func zip<Sources: Swift.Collection>(longest collection: Sources) -> Observable<[Element?]>
    where Sources.Element: ObservableType<Element> {
        .zip(longest: collection) { $0 }
    }
}

extension ObservableType where Element == Any {
    /// Emits the elements with the same index of two sequences as a tuple, until both have completed.
    ///
    /// The tuple has `nil` in place of the elements that the shorter sequence lacks.
    ///
    /// Completes when both have completed and all their elements are emitted. Fails with the first error of either, and
    /// drops the queued elements. The observer is called on the thread that emits or completes, by one thread at a
    /// time.
    @inlinable
    public static func zip<E1, E2>(
        longest source1: some ObservableType<E1>, _ source2: some ObservableType<E2>
    ) -> Observable<(E1?, E2?)> {
        .zip(longest: source1, source2) { ($0, $1) }
    }
}

/// The number of inputs of one run that have a queued element.
@usableFromInline
final class PaddedRow {
    fileprivate var queuedInputs = 0

    @usableFromInline
    init() {}
}

/// Queues a source's elements until every other source has one with the same index or has completed.
///
/// It is empty in the sense of ``AnyCombineRun/emptyInputs`` only while its source may still emit.
@usableFromInline
final class PaddedInput<Element>: CombineInput<Element> {
    private let row: PaddedRow
    @exclusivity(unchecked) private var elements = RingBuffer<Element>()
    private var hasCompleted = false

    @usableFromInline
    init(in row: PaddedRow) {
        self.row = row
    }

    override func put(_ element: Element, _ run: AnyCombineRun) {
        if elements.isEmpty {
            run.emptyInputs -= 1
            row.queuedInputs += 1
        }
        elements.append(element)
    }

    /// Emits the elements that the other sources have queued, as far as they were waiting for this one.
    override func completed(_ run: AnyCombineRun) {
        hasCompleted = true
        guard elements.isEmpty else { return }
        run.emptyInputs -= 1
        while run.emptyInputs == 0, row.queuedInputs > 0, run.live.isActive { run.emit() }
    }

    /// Removes the first element and returns it; `nil` if the source has completed and all its elements are used.
    @usableFromInline
    func take(_ run: AnyCombineRun) -> Element? {
        guard !elements.isEmpty else { return nil }
        let element = elements.removeFirst()
        if elements.isEmpty {
            row.queuedInputs -= 1
            if !hasCompleted { run.emptyInputs += 1 }
        }
        return element
    }
}
