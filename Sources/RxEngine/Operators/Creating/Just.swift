extension ObservableType {
    /// Makes an observable that emits one element and completes, inside `subscribe`.
    ///
    ///     just(x)     x|
    @inlinable
    public static func just(_ element: Element) -> Observable<Element> {
        JustObservable(element)
    }

    /// Makes an observable of one element, delivered on `scheduler`.
    ///
    ///     just(x, scheduler: s)       x-|
    ///
    /// The element is one action on `scheduler`, and the completion another. Never fails.
    ///
    /// - Parameters:
    ///   - element: the element.
    ///   - scheduler: delivers the events.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        .elements(of: [element], .just, on: scheduler)
    }
}

// Unchecked: immutable.
@usableFromInline
final class JustObservable<Element>: Observable<Element>, @unchecked Sendable {
    private let element: Element

    @usableFromInline
    init(_ element: Element) {
        self.element = element
        super.init(.just)
    }

    @usableFromInline
    override var startsOnTrampoline: Bool { false }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        sink.next(element)
        if sink.live.isActive { sink.completed() }
        return Disposables.create()
    }

    @usableFromInline
    override var isScalar: Bool { true }

    override func scalar(into memory: UnsafeMutablePointer<Element>, for live: LiveSubscription) -> Bool {
        memory.initialize(to: element)
        return true
    }

    override func emitScalar(to sink: Sink<Element>) -> Bool {
        sink.next(element)
        return true
    }
}
