import RxJSON

/// Stores the events that wait for sinks, across restarts. Called on one queue a sink.
package protocol SpoolStore: Sendable {
    /// The sinks of which events are stored.
    func sinks() throws -> [String]

    /// How many events of a sink are stored, and their size in bytes.
    func size(of sink: String) throws -> (count: Int, bytes: Int)

    /// Removes events, and appends others behind all that are stored; both or neither. Returns when they are safe from a power failure.
    /// A redelivered event that is stored already is ignored.
    func update(_ sink: String, removing done: [Int64], appending events: [SpooledEvent]) throws

    /// The first events with a number above this one; `nil` in place of one that cannot be read.
    func events(of sink: String, after number: Int64, limit: Int) throws -> [(number: Int64, event: SpooledEvent?)]
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

    /// What an event takes besides its value.
    package static let overhead = 100

    /// What it counts for in the size of a spool.
    package var bytes: Int { encoded.count + Self.overhead }

    package init(_ event: SourceEvent, _ value: JSON, encoded: [UInt8]? = nil, ordinal: Int, suffix: String?) {
        self.event = event
        self.value = value
        self.encoded = encoded ?? value.bytes
        self.ordinal = ordinal
        self.suffix = suffix
    }
}
