extension ObservableType {
    /// Emits the element at `index`, counted from 0, and completes.
    ///
    ///     source              --a--b--c--|
    ///     element(at: 1)      -----b|
    ///
    /// Fails with the source's error, or with ``RxError/argumentOutOfRange`` if the source completes before that
    /// element.
    /// The observer is called on the source's thread.
    ///
    /// - Parameter index: the number of elements before it. A negative number traps.
    @inlinable
    public func element(at index: Int) -> Observable<Element> {
        precondition(index >= 0, "element(at:): the index must not be negative, but is \(index)")
        return asObservable().lift(.elementAt, with: index) { ElementAtSink(to: $1, $0) }
    }
}

@usableFromInline
final class ElementAtSink<Element>: OperatorSink<Element, Element> {
    /// The number of elements still to drop; negative after the element has arrived.
    @exclusivity(unchecked) private var remaining: Int

    @usableFromInline
    init(to downstream: Sink<Element>, _ index: Int) {
        remaining = index
        super.init(.elementAt, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard remaining >= 0 else { return }
        remaining -= 1
        guard remaining < 0 else { return }
        downstream.next(element)
        if live.isActive { downstream.completed() }
    }

    @usableFromInline
    override func completed() {
        if remaining >= 0 { downstream.error(RxError.argumentOutOfRange) }
    }
}
