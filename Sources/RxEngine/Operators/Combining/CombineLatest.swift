extension ObservableType {
    /// Combines the latest elements of two sequences with `resultSelector` at each element, once both have emitted.
    ///
    ///     first            --1-----2----|
    ///     second           ----a-----b-----|
    ///     combineLatest    ----1a--2a2b----|
    ///
    /// It completes when both have completed. If one completes without having emitted, the result goes on until the
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
            let (a, b) = (Latest<E1>(), Latest<E2>())
            let run = Combination(.combineLatest, to: downstream, sources: 2) { _ in
                try resultSelector(a.value, b.value)
            }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            return run.disposable
        }
    }
}

/// Keeps a source's latest element.
@usableFromInline
final class Latest<Element>: Slot<Element> {
    @exclusivity(unchecked) private var room = Room<Element>()
    @usableFromInline let place: UnsafePointer<Element>

    @usableFromInline
    override init() {
        place = room.place
    }

    /// The element, once there is one.
    @inlinable var value: Element { place.pointee }

    override func put(_ element: Element, _ run: AnyCombination) {
        if room.isEmpty { run.missing -= 1 }
        room.put(element)
    }
}
