extension ObservableType {
    /// Leaves elements out while they satisfy `predicate`, and lets all through from the first that does not. An error
    /// thrown by the closure ends the sequence.
    ///
    ///     source                      --1--2--3--1--|
    ///     skip(while: { $0 < 3 })     --------3--1--|
    @preconcurrency
    @inlinable
    public func skip(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        asObservable().lift(.skipWhile, with: Test(predicate: predicate)) { SkipWhileSink(to: $1, $0.predicate) }
    }
}

@usableFromInline
final class SkipWhileSink<Element>: OperatorSink<Element, Element> {
    private let predicate: @Sendable (Element) throws -> Bool
    @exclusivity(unchecked) private var isOpen = false

    @usableFromInline
    init(to downstream: Sink<Element>, _ predicate: @escaping @Sendable (Element) throws -> Bool) {
        self.predicate = predicate
        super.init(.skipWhile, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        if isOpen { return downstream.next(element) }
        do {
            isOpen = try !predicate(element) || isOpen
        } catch {
            return downstream.error(error)
        }
        if isOpen, live.isActive { downstream.next(element) }
    }
}
