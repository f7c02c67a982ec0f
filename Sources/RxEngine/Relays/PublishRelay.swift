// Unchecked: it has nothing of its own that changes.
/// A ``PublishSubject`` that never ends: it takes elements only.
///
///     accept      --1--2-----3-->
///     first       --1--2-----3-->
///     second            .----3-->
///
/// Elements may come from any thread, but never two at once. One that is told from inside a subscriber's call is
/// delivered at once: those who are told after that subscriber get it first.
public final class PublishRelay<Element>: Observable<Element>, @unchecked Sendable {
    private let audience = Audience()

    /// A relay without subscribers.
    public init() {
        super.init(.publishSubject)
    }

    deinit {
        Unmanaged.passUnretained(audience)._withUnsafeGuaranteedRef { $0.abandon() }
    }

    /// Nothing runs on subscribing that would need putting off.
    public override var startsOnTrampoline: Bool { false }

    /// Tells every subscriber.
    public func accept(_ element: Element) {
        audience.next(element)
    }

    /// Adds a subscriber.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        audience.membership(audience.admit(sink, to: self))
    }
}
