import RxEngine
import RxJSON

/// A kind of source, as one entry under `sources:` configures it.
package protocol SourceKind: Sendable {
    /// The values that it emits, one an event. Each subscription is a run of its own; a failure ends it.
    func events(in context: SourceContext) -> Observable<JSON>

    /// The same values with their positions and names, for a source that can resume. Such a source starts at
    /// ``SourceContext/position``, calls ``SourceContext/began`` with the position that it starts from, and
    /// ``SourceContext/caughtUp`` when it has emitted everything that the previous process may have emitted.
    func values(in context: SourceContext) -> Observable<SourceValue>

    /// What it watches, in a few words for a record: "every 10s".
    var summary: String { get }

    /// How long it is from one event to the next, where that is always the same.
    var period: Duration? { get }

    var settings: SourceSettings { get }

    /// What it does while `inFlight` is reached.
    var backpressure: BackpressurePolicy { get }

    /// Whether the host keeps what the source needs to emit again what comes after a position.
    var isKeptByHost: Bool { get }

    /// Called between the capture of a snapshot and its storing, if the host keeps something.
    ///
    /// - Parameter isUrgent: whether somebody waits for the snapshot.
    /// - Returns: how long to wait before a snapshot may be stored; `nil` if this one may be.
    func prepareToStore(on host: Host, isUrgent: Bool) throws -> Duration?

    /// A position is stored: what came before need not be kept.
    func stored(_ position: JSON, on host: Host)

    /// Whether it emits until it is disposed.
    var isEndless: Bool { get }

    /// Whether the host stops it before the daemon stops, so that whatever still comes was emitted before.
    var isStoppedByHost: Bool { get }

    /// Whether it says itself when it is armed. All others are when their run has started.
    var armsLater: Bool { get }
}

extension SourceKind {
    package var settings: SourceSettings { SourceSettings() }
    package var armsLater: Bool { false }
    package var isEndless: Bool { true }
    package var isKeptByHost: Bool { false }
    package func prepareToStore(on host: Host, isUrgent: Bool) throws -> Duration? { nil }
    package func stored(_ position: JSON, on host: Host) {}
    package func values(in context: SourceContext) -> Observable<SourceValue> {
        events(in: context).map { SourceValue($0) }
    }
    package var backpressure: BackpressurePolicy { .latest }
    package var isStoppedByHost: Bool { false }
    package var period: Duration? { nil }
}

extension Fields {
    /// How long it is from one event of a source to the next. It must be given, but for a source that an event makes:
    /// that may emit once.
    mutating func every() -> Duration? {
        let type = FieldType.duration(.milliseconds(10) ... .seconds(366 * 86_400))
        return context.isInnerSource ? optional("every", type) : required("every", type)
    }
}
