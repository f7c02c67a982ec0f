// Unchecked: it has no mutable state of its own.
/// A ``BehaviorSubject`` that never ends: it has a current value and accepts only elements.
///
///     BehaviorRelay(value: 0)
///     accept      --1--2-----3-->
///     first       0-1--2-----3-->
///     second            .2---3-->
///
/// Any thread may read the value. Any thread may call ``accept(_:)``, but no two at once. A subscriber receives each
/// element exactly once: the value, and elements that are accepted before it has caught up, on the subscribing thread,
/// and later ones on the thread that accepts them.
public final class BehaviorRelay<Element>: Observable<Element>, @unchecked Sendable {
    private let subscribers: ReplaySubscriberList<Element>

    /// Makes a relay with an initial value.
    public init(value: Element) {
        subscribers = ReplaySubscriberList(value: value)
        super.init(.behaviorSubject)
    }

    deinit {
        subscribers.dispose()
    }

    /// Always `false`: subscribing starts no source.
    public override var startsOnTrampoline: Bool { false }

    /// The latest element.
    ///
    /// Any thread may read it.
    public var value: Element { subscribers.value }

    /// Sets the value to `element` and delivers it to every subscriber, on this thread.
    ///
    /// A subscriber that is still receiving the previous value receives `element` on the thread on which it subscribes.
    ///
    /// - Complexity: O(*n*) with *n* subscribers.
    public func accept(_ element: Element) {
        subscribers.storeAndDeliver(element)
    }

    /// Replays the value to `sink`, and subscribes it to the following elements.
    ///
    /// The value is delivered on this thread.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        subscribers.subscription(subscribers.addReplaying(sink, to: self))
    }
}
