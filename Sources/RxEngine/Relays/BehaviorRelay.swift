// Unchecked: it has nothing of its own that changes.
/// A ``BehaviorSubject`` that never ends: it has a value, which can be read at any time, and takes elements only.
///
///     BehaviorRelay(value: 0)
///     accept      --1--2-----3-->
///     first       0-1--2-----3-->
///     second            .2---3-->
///
/// The value may be read from any thread, and elements may come from any, but never two at once. A subscriber
/// misses nothing and gets nothing twice between what is replayed to it and what comes live.
public final class BehaviorRelay<Element>: Observable<Element>, @unchecked Sendable {
    private let audience: ReplayAudience<Element>

    /// A relay whose value is `value`.
    public init(value: Element) {
        audience = ReplayAudience(value: value)
        super.init(.behaviorSubject)
    }

    deinit {
        audience.dispose()
    }

    /// Nothing runs on subscribing that would need putting off.
    public override var startsOnTrampoline: Bool { false }

    /// The element that came last.
    public var value: Element { audience.value }

    /// Makes `element` the value and tells every subscriber.
    public func accept(_ element: Element) {
        audience.remember(element)
    }

    /// Adds a subscriber.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        audience.membership(audience.admitAndRecall(sink, to: self))
    }
}
