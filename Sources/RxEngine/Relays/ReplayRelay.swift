// Unchecked: it has no mutable state of its own.
/// A ``ReplaySubject`` that never ends: it replays the latest elements to new subscribers and accepts only elements.
///
///     ReplayRelay.create(bufferSize: 2)
///     accept      --1--2--3-------4-->
///     first       --1--2--3-------4-->
///     second                .23---4-->
///
/// Any thread may call ``accept(_:)``, but no two at once. A subscriber receives each element exactly once: the
/// replayed ones, and elements that are accepted before it has caught up, on the subscribing thread, and later ones on
/// the thread that accepts them.
public final class ReplayRelay<Element>: Observable<Element>, @unchecked Sendable {
    private let subscribers: ReplaySubscriberList<Element>

    private init(capacity: Int) {
        subscribers = ReplaySubscriberList(capacity: capacity)
        super.init(.replaySubject)
    }

    /// Makes a relay that replays the last `bufferSize` elements.
    ///
    /// - Parameter bufferSize: the number of elements to replay. A negative number traps.
    public static func create(bufferSize: Int) -> ReplayRelay<Element> {
        precondition(bufferSize >= 0, "ReplayRelay: the buffer size must not be negative, but is \(bufferSize)")
        return ReplayRelay(capacity: bufferSize)
    }

    /// Makes a relay that replays every element. Its memory grows with each.
    public static func createUnbound() -> ReplayRelay<Element> {
        ReplayRelay(capacity: .max)
    }

    deinit {
        subscribers.dispose()
    }

    /// Always `false`: subscribing starts no source.
    public override var startsOnTrampoline: Bool { false }

    /// Stores `element` and delivers it to every subscriber, on this thread.
    ///
    /// A subscriber that is still receiving stored elements receives `element` on the thread on which it subscribes.
    ///
    /// - Complexity: O(*n*) with *n* subscribers.
    public func accept(_ element: Element) {
        subscribers.storeAndDeliver(element)
    }

    /// Replays the buffered elements to `sink`, and subscribes it to the following ones.
    ///
    /// The buffered elements are delivered on this thread.
    ///
    /// - Complexity: Linear in the number of buffered elements.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        subscribers.subscription(subscribers.addReplaying(sink, to: self))
    }
}
