import RxJSON

/// Stores the events that wait for sinks, across restarts. The calls for a sink are serialized on one queue.
package protocol SpoolStore: Sendable {
    /// The keys of the sinks that have stored events.
    func sinks() throws -> [String]

    /// The keys of the sinks that have stored events; `nil` if they cannot be read at once. The call neither waits for
    /// other uses of the store nor repairs it.
    func sinksReadAtOnce() -> Set<String>?

    /// The last stored events of each sink, as far as they can be read at once. A kill may have come between the
    /// storing of these events and the note that they are stored.
    func latestReadAtOnce() -> [LatestSpooledEvent]

    /// The number of stored events of a sink, and their size in bytes.
    func size(of sink: String) throws -> (count: Int, bytes: Int)

    /// The number of the last stored event of a sink; 0 if there is none.
    func lastNumber(of sink: String) throws -> Int64

    /// Applies changes atomically. Returns when the changes survive the process, and added events a power failure.
    func update(_ sink: String, _ changes: SpoolChanges) throws

    /// Reads the first events with a number above `number`. The result has `nil` in place of an unreadable event.
    ///
    /// - Parameters:
    ///   - sink: the key of the sink.
    ///   - number: the number of the last event that was read before.
    ///   - limit: the largest number of events.
    ///   - bytes: the size after which no further event is read, in bytes. At least one event is read.
    func events(
        of sink: String, after number: Int64, limit: Int, bytes: Int
    ) throws -> [(number: Int64, event: SpooledEvent?)]
}

/// A stored event of a sink, without its value.
package struct LatestSpooledEvent: Sendable {
    /// The largest number of events that are stored before a note says so.
    package static let maximum = SpoolBacklog.maximumBatch

    package let sink: String
    package let event: SourceEvent
    package let ordinal: Int

    package init(sink: String, event: SourceEvent, ordinal: Int) {
        (self.sink, self.event, self.ordinal) = (sink, event, ordinal)
    }
}

/// Changes of the events of one sink.
package struct SpoolChanges: Sendable {
    /// The numbers of the events to remove.
    package var removed: [Int64] = []
    /// The failures of the sink, by the events' numbers.
    package var failures: [Int64: SpooledFailure] = [:]
    /// The events to append. A redelivered event that is stored already is ignored.
    package var added: [SpooledEvent] = []

    package init(removed: [Int64] = [], failures: [Int64: SpooledFailure] = [:], added: [SpooledEvent] = []) {
        (self.removed, self.failures, self.added) = (removed, failures, added)
    }

    var isEmpty: Bool { removed.isEmpty && failures.isEmpty && added.isEmpty }
}

/// The failure of a sink on a stored event.
package struct SpooledFailure: Sendable {
    /// The description of the failure.
    package let cause: JSON
    /// The progress of the sinks that receive the event by `onError`.
    package internal(set) var receivers: SinkProgress

    package init(_ cause: JSON, receivers: SinkProgress = SinkProgress()) {
        self.cause = cause
        self.receivers = receivers
    }
}

/// An event that waits for a sink.
package struct SpooledEvent: Sendable {
    package let event: SourceEvent
    package let value: JSON
    /// The value as JSON.
    package let encoded: [UInt8]
    /// See ``PipelineEvent/id``.
    package let ordinal: Int
    package let suffix: String?
    /// See ``PipelineEvent/isReplayed``.
    package let isReplayed: Bool
    /// The failure of the sink, if the event is with the receivers of `onError`.
    package let failure: SpooledFailure?

    /// The size of an event without its value, in bytes.
    package static let overhead = 100

    /// See ``PipelineEvent/id``.
    package var id: String { PipelineEvent.id(of: event, suffix, ordinal) }

    var withoutValue: SpooledEvent {
        SpooledEvent(event, .null, encoded: [], ordinal: ordinal, suffix: suffix, isReplayed: isReplayed)
    }

    /// The size that counts for the limit of the spool.
    package var bytes: Int { encoded.count + Self.overhead }

    package init(
        _ event: SourceEvent, _ value: JSON, encoded: [UInt8]? = nil, ordinal: Int, suffix: String?,
        isReplayed: Bool = false, failure: SpooledFailure? = nil
    ) {
        self.event = event
        self.value = value
        self.encoded = encoded ?? value.bytes
        self.ordinal = ordinal
        self.suffix = suffix
        self.isReplayed = isReplayed
        self.failure = failure
    }
}
