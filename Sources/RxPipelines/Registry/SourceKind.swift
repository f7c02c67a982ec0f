import RxEngine

/// A kind of source, as one entry under `sources:` configures it.
package protocol SourceKind: Sendable {
    /// The values that it tells, one an event. Each subscription is a run of its own; a failure ends it.
    func events(in surroundings: SourceSurroundings) -> Observable<JSON>

    /// What it watches, in a few words for a record: "every 10s".
    var summary: String { get }

    /// How long it is from one event to the next, where that is always the same.
    var period: Duration? { get }

    /// Whether it tells one event and then its end, which a source that an event makes may do.
    var isOnce: Bool { get }

    /// Whether it says itself when it is armed. All others are when their run has started.
    var armsLater: Bool { get }
}

extension SourceKind {
    package var armsLater: Bool { false }
    package var period: Duration? { nil }
    package var isOnce: Bool { false }
}
