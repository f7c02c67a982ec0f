extension ObservableType {
    /// What `resultSelector` makes of the elements with the same index of two sequences.
    ///
    ///     first     --1--2-----3--|
    ///     second    ----a---b--------|
    ///     zip       ----1a--2b-------|
    ///
    /// It ends when both have ended, not before: zipped with one that never ends, it never does. What has no partner
    /// then is dropped. An error of either, or one thrown by `resultSelector`, ends it at once.
    @preconcurrency
    @inlinable
    public static func zip<E1, E2>(
        _ source1: some ObservableType<E1>, _ source2: some ObservableType<E2>,
        resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> Observable<Element> {
        let (source1, source2) = (source1.asObservable(), source2.asObservable())
        return .source(.zip) { downstream in
            let (a, b) = (Waiting<E1>(), Waiting<E2>())
            let run = Combination(.zip, to: downstream, sources: 2, endsAlone: false) {
                try resultSelector(a.take($0), b.take($0))
            }
            run.start(source1, filling: a)
            run.start(source2, filling: b)
            return run.disposable
        }
    }
}

/// Keeps a source's elements until they have partners.
@usableFromInline
final class Waiting<Element>: Slot<Element> {
    @exclusivity(unchecked) private var elements = Ring<Element>()

    @usableFromInline
    override init() {}

    override func put(_ element: Element, _ run: AnyCombination) {
        if elements.isEmpty { run.missing -= 1 }
        elements.append(element)
    }

    /// The first element, which is then gone. A slot that is empty then is ``AnyCombination/missing`` again.
    @usableFromInline
    func take(_ run: AnyCombination) -> Element {
        let element = elements.removeFirst()
        if elements.isEmpty { run.missing += 1 }
        return element
    }
}
