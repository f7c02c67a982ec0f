// Unchecked: it has nothing of its own that changes.
/// A ``ReplaySubject`` that never ends: subscribers get the last elements first, and it takes elements only.
///
///     ReplayRelay.create(bufferSize: 2)
///     accept      --1--2--3-------4-->
///     first       --1--2--3-------4-->
///     second                .23---4-->
///
/// Elements may come from any thread, but never two at once. A subscriber misses nothing and gets nothing
/// twice between what is replayed to it and what comes live.
public final class ReplayRelay<Element>: Observable<Element>, @unchecked Sendable {
    private let audience: ReplayAudience<Element>

    private init(capacity: Int) {
        audience = ReplayAudience(capacity: capacity)
        super.init(.replaySubject)
    }

    /// A relay that remembers the last `bufferSize` elements; a negative number traps.
    public static func create(bufferSize: Int) -> ReplayRelay<Element> {
        precondition(bufferSize >= 0, "a replay relay remembers a number of elements, not \(bufferSize)")
        return ReplayRelay(capacity: bufferSize)
    }

    /// A relay that remembers every element.
    public static func createUnbound() -> ReplayRelay<Element> {
        ReplayRelay(capacity: .max)
    }

    deinit {
        audience.dispose()
    }

    /// Nothing runs on subscribing that would need putting off.
    public override var startsOnTrampoline: Bool { false }

    /// Remembers `element` and tells every subscriber.
    public func accept(_ element: Element) {
        audience.remember(element)
    }

    /// Adds a subscriber.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        audience.membership(audience.admitAndRecall(sink, to: self))
    }
}
