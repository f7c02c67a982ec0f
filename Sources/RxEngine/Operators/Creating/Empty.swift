extension ObservableType {
    /// Makes an observable that completes inside `subscribe`, without an element.
    ///
    ///     empty()     |
    @inlinable
    public static func empty() -> Observable<Element> {
        EmptyObservable()
    }
}

// Unchecked: it has no state.
@usableFromInline
final class EmptyObservable<Element>: Observable<Element>, @unchecked Sendable {
    @usableFromInline
    init() {
        super.init(.empty)
    }

    @usableFromInline
    override var startsOnTrampoline: Bool { false }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        sink.completed()
        return Disposables.create()
    }

    override func emitScalar(to sink: Sink<Element>) -> Bool { true }
}
