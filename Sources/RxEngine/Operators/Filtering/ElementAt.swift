extension ObservableType {
    /// The element that has `index` others before it, and then the end.
    ///
    ///     source              --a--b--c--|
    ///     element(at: 1)      -----b|
    ///
    /// A source that ends before it fails with ``RxError/argumentOutOfRange``. A negative index traps.
    @inlinable
    public func element(at index: Int) -> Observable<Element> {
        precondition(index >= 0, "there is no element at \(index)")
        return asObservable().lift(.elementAt, with: index) { ElementAtSink(to: $1, $0) }
    }
}

@usableFromInline
final class ElementAtSink<Element>: OperatorSink<Element, Element> {
    /// How many elements come before; negative once the element has come.
    @exclusivity(unchecked) private var before: Int

    @usableFromInline
    init(to downstream: Sink<Element>, _ index: Int) {
        before = index
        super.init(.elementAt, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard before >= 0 else { return }
        before -= 1
        guard before < 0 else { return }
        downstream.next(element)
        if live.isActive { downstream.completed() }
    }

    @usableFromInline
    override func completed() {
        if before >= 0 { downstream.error(RxError.argumentOutOfRange) }
    }
}
