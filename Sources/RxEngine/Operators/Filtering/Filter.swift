extension ObservableType {
    /// Lets through the elements that satisfy `predicate`. An error thrown by it ends the sequence.
    ///
    ///     source              --1--2--3--4--|
    ///     filter { $0 > 2 }   --------3--4--|
    @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        asObservable().lift { FilterSink(to: $0, predicate) }
    }
}

private final class FilterSink<Element>: OperatorSink<Element, Element> {
    private let predicate: @Sendable (Element) throws -> Bool

    init(to downstream: Sink<Element>, _ predicate: @escaping @Sendable (Element) throws -> Bool) {
        self.predicate = predicate
        super.init(to: downstream)
    }

    override func next(_ element: Element) {
        let passes: Bool
        do {
            passes = try predicate(element)
        } catch {
            return downstream.error(error)
        }
        if passes, live.isActive { downstream.next(element) }
    }
}
