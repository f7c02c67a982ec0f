import RxJSON

/// The identity of an event that a source emitted. Steps do not change it.
package struct SourceEvent: Sendable, Equatable {
    /// The source's name in the configuration.
    package let source: String
    /// The id of the source's run, which is never reused; the event's own name if the source may emit it again.
    package let run: String
    /// The number of the event in the run, from 0.
    package let sequence: UInt64
    /// When the source emitted it, in seconds since 1970.
    package let time: Double
    /// Whether the event was delivered before, so that sinks may have acted on it.
    package let isRedelivered: Bool
    /// Whether the event may have been delivered before. That is known only if a sink has finished it.
    package let mayBeRepeated: Bool

    package init(
        _ source: String, run: String = "", sequence: UInt64, time: Double, isRedelivered: Bool = false,
        mayBeRepeated: Bool = false
    ) {
        self.source = source
        self.run = run
        self.sequence = sequence
        self.time = time
        self.isRedelivered = isRedelivered
        self.mayBeRepeated = mayBeRepeated || isRedelivered
    }

    /// This event, marked as redelivered.
    var redelivered: SourceEvent {
        SourceEvent(source, run: run, sequence: sequence, time: time, isRedelivered: true)
    }

    /// `source:sequence`, for people.
    package var cause: String { "\(source):\(sequence)" }

    /// Unique across processes, and stable across redelivery.
    package var id: String { run.isEmpty ? cause : isNamed ? "\(source):\(run)" : "\(source):\(run):\(sequence)" }

    /// The time, for a record.
    var recordedTime: String { "\(JSON.number(time))" }

    /// The id of the event that has this id, or of which a part has it: `a:r:5` of `a:r:5.2f`.
    static func id(ofPart id: String) -> String {
        guard let colon = id.lastIndex(of: ":") else { return id }
        return String(id[..<colon] + id[colon...].prefix { $0 != "." })
    }

    /// Adds the parts of ``id`` to a hash.
    func identify(to hash: inout StableHash) {
        hash.add(source)
        hash.end()
        hash.add(run)
        hash.end()
        if !isNamed { hash.add(sequence) }
    }

    /// Whether the event has a name that is the same in every process, see ``SourceValue/name``.
    package var isNamed: Bool { run.utf8.first == EventName.mark }
}
