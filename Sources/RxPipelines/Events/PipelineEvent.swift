/// What travels through a pipeline: a value, and which event of which source it came from.
package struct PipelineEvent: Sendable {
    /// The value, which steps replace.
    package var value: JSON
    /// The source's name in the config.
    package let source: String
    /// The number of the event among its source's, counted from 0.
    package let sequence: UInt64
    /// When the source told it, in seconds since 1970.
    package let time: Double

    package init(_ value: JSON, source: String, sequence: UInt64, time: Double) {
        self.value = value
        self.source = source
        self.sequence = sequence
        self.time = time
    }

    /// The same event with another value.
    package func with(_ value: JSON) -> PipelineEvent {
        var event = self
        event.value = value
        return event
    }

    /// The event that started it all: `source:sequence`.
    package var cause: String { "\(source):\(sequence)" }

    /// What expressions see as `$event`.
    package var binding: JSON {
        [
            "source": .string(source), "sequence": .number(Double(sequence)), "time": .number(time),
            "cause": .string(cause),
        ]
    }
}
