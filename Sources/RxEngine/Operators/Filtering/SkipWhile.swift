extension ObservableType {
    /// Drops elements while they satisfy `predicate`, and emits all from the first that does not.
    ///
    ///     source                      --1--2--3--1--|
    ///     skip(while: { $0 < 3 })     --------3--1--|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `predicate` throws.
    /// `predicate` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func skip(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        asObservable().lift(.skipWhile, with: Predicate(isSatisfied: predicate)) {
            SkipWhileSink(to: $1, $0.isSatisfied)
        }
    }
}

@usableFromInline
final class SkipWhileSink<Element>: OperatorSink<Element, Element> {
    private let predicate: @Sendable (Element) throws -> Bool
    @exclusivity(unchecked) private var isForwarding = false

    @usableFromInline
    init(to downstream: Sink<Element>, _ predicate: @escaping @Sendable (Element) throws -> Bool) {
        self.predicate = predicate
        super.init(.skipWhile, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        if isForwarding { return downstream.next(element) }
        do {
            isForwarding = try !predicate(element) || isForwarding
        } catch {
            return downstream.error(Hooks.thrown(error, in: .skipWhile))
        }
        if isForwarding, live.isActive { downstream.next(element) }
    }
}
