import RxEngine
import RxJSON
import RxLinux

/// A kind of source, as one entry under `sources:` configures it.
package protocol SourceKind: Sendable {
    /// The values that the source emits, one for each event.
    ///
    /// Each subscription is a run of its own, which a failure ends.
    func events(in context: SourceContext) -> Observable<JSON>

    /// The values that the source emits, with their positions and names if it can resume.
    ///
    /// A source that can resume starts at ``SourceContext/position``, calls ``SourceContext/began`` with the position
    /// that it starts from, and ``SourceContext/caughtUp`` when it has emitted everything that the previous process may
    /// have emitted.
    func values(in context: SourceContext) -> Observable<SourceValue>

    /// A short description of what the source watches, for a record: "every 10s".
    var summary: String { get }

    /// A description of what the source does for one event, with more details than a record: for `rxwatchctl try`.
    var detail: String { get }

    /// The time between two events, if it is always the same. Such a source also emits when ``SourceContext/fires`` does.
    var period: Duration? { get }

    var settings: SourceSettings { get }

    /// What is known of its values.
    var valueType: ValueType { get }

    /// Returns why the poll that emitted this value failed; `nil` if it succeeded.
    func failure(in value: JSON) -> String?

    /// Whether the source sends requests with secrets, which the answers may contain.
    var sendsSecrets: Bool { get }

    /// Notices for a check of the configuration: what the source would wait for at the moment, each with its path.
    var notices: [(path: BytePath, message: String)] { get }

    /// Adds the files and directories that need an inotify watch at the moment, for a check of the configuration.
    ///
    /// - Parameters:
    ///   - watched: where to add their paths. Sources that watch the same file share its watch.
    ///   - limit: the number of `watched` at which to stop.
    func addWatched(to watched: inout Set<BytePath>, limit: Int)

    /// The behavior of the source while `inFlight` is reached.
    var backpressure: BackpressurePolicy { get }

    /// Whether its values come from outside and may be large, so that their memory is bounded, too.
    var hasLargeValues: Bool { get }

    /// Whether the host keeps the data that the source needs to emit the events after a position again.
    var isKeptByHost: Bool { get }

    /// Called between the capture of a snapshot and its storing, if the host keeps data for the source.
    ///
    /// - Parameters:
    ///   - host: the host.
    ///   - isUrgent: whether a caller waits for the snapshot.
    /// - Returns: how long to wait before a snapshot may be stored; `nil` if this one may be stored now.
    func prepareToStore(on host: Host, isUrgent: Bool) throws -> Duration?

    /// Called when a position is stored: the host need not keep data for events before it.
    func stored(_ position: JSON, on host: Host)

    /// Whether the source emits until it is disposed.
    var isEndless: Bool { get }

    /// Whether the host stops the source before the daemon stops.
    ///
    /// Values that arrive after that were emitted before and count.
    var isStoppedByHost: Bool { get }

    /// The source for a run in virtual time, which is the same in each run; `nil` if it needs more than a scheduler.
    func inVirtualTime() -> (any SourceKind)?

    /// Whether the source reports itself when it is armed. Any other source is armed when its run has started.
    var armsLater: Bool { get }
}

extension SourceKind {
    package var detail: String { summary }
    package var settings: SourceSettings { SourceSettings() }
    package var valueType: ValueType { .any }
    package func failure(in value: JSON) -> String? { nil }
    package var sendsSecrets: Bool { false }
    package var notices: [(path: BytePath, message: String)] { [] }
    package func addWatched(to watched: inout Set<BytePath>, limit: Int) {}
    package var armsLater: Bool { false }
    package func inVirtualTime() -> (any SourceKind)? { nil }
    package var isEndless: Bool { true }
    package var hasLargeValues: Bool { false }
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

extension FieldReader {
    /// Reads the period of a source. It is required, except for an inner source, which may emit once.
    mutating func every() -> Duration? {
        let type = FieldType.duration(.milliseconds(10) ... .longestInConfig)
        return context.isInnerSource
            ? optional("every", type, "The time between two polls or runs")
            : required("every", type, "The time between two polls or runs")
    }
}
