extension ObservableType {
    /// Combines the latest elements of two sequences with `resultSelector` at each element, once both have emitted.
    ///
    ///     first            --1-----2----|
    ///     second           ----a-----b-----|
    ///     combineLatest    ----1a--2a2b----|
    ///
    /// It completes when both have completed. If one completes without having emitted, the result continues until the
    /// next element of the other, at which it completes. It fails with the first error of either, or that
    /// `resultSelector` throws. `resultSelector` and the observer are called on the thread that emits, by one thread at
    /// a time.
    @preconcurrency
    @inlinable
    public static func combineLatest<E1, E2>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>,
        resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2) = (source1.asObservable(), source2.asObservable())
        return .source(.combineLatest) { downstream in
            let (a, b) = (LatestInput<E1>(), LatestInput<E2>())
            let run = CombineRun(.combineLatest, to: downstream, sources: 2) { _ in
                try resultSelector(a.value, b.value)
            }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            return run.disposable
        }
    }
}

/// Stores a source's latest element.
@usableFromInline
final class LatestInput<Element>: CombineInput<Element> {
    @exclusivity(unchecked) private var latest = ElementBox<Element>()
    @usableFromInline let address: UnsafePointer<Element>

    @usableFromInline
    override init() {
        address = latest.address
    }

    /// The latest element. There must be one.
    @inlinable var value: Element { address.pointee }

    override func put(_ element: Element, _ run: AnyCombineRun) {
        if latest.isEmpty { run.emptyInputs -= 1 }
        latest.store(element)
    }
}
