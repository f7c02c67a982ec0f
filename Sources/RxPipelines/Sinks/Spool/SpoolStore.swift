import RxJSON

/// Stores the events that wait for sinks, across restarts. Called on one queue a sink.
package protocol SpoolStore: Sendable {
    /// The sinks of which events are stored.
    func sinks() throws -> [String]

    /// The sinks of which events are stored, as far as that can be read at once; `nil` if it cannot: neither waits for
    /// other uses of the store nor repairs it.
    func sinksReadAtOnce() -> Set<String>?

    /// The events that each sink has stored last, as far as that can be read at once. A kill may have come before it
    /// was noted that the sink has them.
    func latestReadAtOnce() -> [LatestSpooledEvent]

    /// How many events of a sink are stored, and their size in bytes.
    func size(of sink: String) throws -> (count: Int, bytes: Int)

    /// The number of the last event of a sink that is stored; 0 if there is none.
    func lastNumber(of sink: String) throws -> Int64

    /// Changes what is stored, all of it or nothing. Returns when that survives the process, and added events a power
    /// failure.
    func update(_ sink: String, _ changes: SpoolChanges) throws

    /// The first events with a number above this one; `nil` in place of one that cannot be read.
    func events(of sink: String, after number: Int64, limit: Int) throws -> [(number: Int64, event: SpooledEvent?)]
}

/// An event that a sink has stored, without its value.
package struct LatestSpooledEvent: Sendable {
    /// As many as are stored at most before it is noted that the sink has them.
    package static let most = SpoolBacklog.mostAtOnce

    package let sink: String
    package let event: SourceEvent
    package let ordinal: Int

    package init(sink: String, event: SourceEvent, ordinal: Int) {
        (self.sink, self.event, self.ordinal) = (sink, event, ordinal)
    }
}

/// Changes of the events of one sink.
package struct SpoolChanges: Sendable {
    /// The numbers of events to be removed.
    package var removed: [Int64] = []
    /// The events that the sink has failed on, by their numbers.
    package var failures: [Int64: SpooledFailure] = [:]
    /// Stored behind all others. A redelivered event that is stored already is ignored.
    package var added: [SpooledEvent] = []

    package init(removed: [Int64] = [], failures: [Int64: SpooledFailure] = [:], added: [SpooledEvent] = []) {
        (self.removed, self.failures, self.added) = (removed, failures, added)
    }

    var isEmpty: Bool { removed.isEmpty && failures.isEmpty && added.isEmpty }
}

/// What became of an event that a sink has failed on.
package struct SpooledFailure: Sendable {
    /// The description of the failure.
    package let cause: JSON
    /// What the sinks that `onError` leads to have done for the event.
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
    /// What the sink has failed with: the event goes to `onError`.
    package let failure: SpooledFailure?

    /// What an event takes besides its value.
    package static let overhead = 100

    /// What it counts for in the size of a spool.
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
