extension ObservableType {
    /// Lets through the elements that satisfy `predicate`. An error thrown by it ends the sequence.
    ///
    ///     source              --1--2--3--4--|
    ///     filter { $0 > 2 }   --------3--4--|
    @preconcurrency
    @inlinable
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        asObservable().lift(.filter, with: Test(predicate: predicate)) { FilterSink(to: $1, $0.predicate) }
    }
}

@usableFromInline
final class FilterSink<Element>: OperatorSink<Element, Element> {
    private let predicate: @Sendable (Element) throws -> Bool

    @usableFromInline
    init(to downstream: Sink<Element>, _ predicate: @escaping @Sendable (Element) throws -> Bool) {
        self.predicate = predicate
        super.init(.filter, to: downstream)
    }

    @usableFromInline
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

/// A closure as a parameter of ``Observable/lift(_:with:_:)``: bare, it would be wrapped in another.
@usableFromInline
struct Test<Element> {
    @usableFromInline let predicate: @Sendable (Element) throws -> Bool

    @inlinable
    init(predicate: @escaping @Sendable (Element) throws -> Bool) {
        self.predicate = predicate
    }
}
