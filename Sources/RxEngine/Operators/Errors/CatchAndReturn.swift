extension ObservableType {
    /// Emits `element` and completes when this sequence fails.
    ///
    ///     self                --1--2--X
    ///     catchAndReturn(9)   --1--2--9|
    ///
    /// Completes when the source completes or fails. Never fails.
    /// The thread that delivers the error emits `element`.
    @inlinable
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        asObservable().lift(.catchError, with: element) { CatchAndReturnSink(to: $1, $0) }
    }
}

@usableFromInline
final class CatchAndReturnSink<Element>: OperatorSink<Element, Element> {
    private let element: Element

    @usableFromInline
    init(to downstream: Sink<Element>, _ element: Element) {
        self.element = element
        super.init(.catchError, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        downstream.next(element)
    }

    @usableFromInline
    override func error(_ error: any Error) {
        guard live.isActive else { return }
        downstream.next(element)
        if live.isActive { downstream.completed() }
    }
}
