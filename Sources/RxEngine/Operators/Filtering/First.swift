extension ObservableType {
    /// Emits the first element, or `nil` if the source completes without one.
    ///
    ///     source      --1--2--|         -----|
    ///     first()     --1|              -----nil|
    ///
    /// Succeeds with the first element, without waiting for the source to complete. Fails with the source's error.
    /// The outcome is delivered on the source's thread.
    @inlinable
    public func first() -> Single<Element?> {
        Single(raw: asObservable().lift(.first, with: ()) { FirstSink(to: $1) })
    }
}

@usableFromInline
final class FirstSink<Element>: OperatorSink<Element, Element?> {
    @exclusivity(unchecked) private var isOver = false

    @usableFromInline
    override init(to downstream: Sink<Element?>) {
        super.init(.first, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        finish(with: element)
    }

    @usableFromInline
    override func completed() {
        finish(with: nil)
    }

    private func finish(with element: Element?) {
        guard !isOver, live.isActive else { return }
        isOver = true
        downstream.next(element)
        if live.isActive { downstream.completed() }
    }
}
