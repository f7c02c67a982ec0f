/// An event as its source told it: what it is called, whatever becomes of its value.
package final class SourceEvent: Sendable {
    /// The source's name in the config.
    package let source: String
    /// The run of the source: no other has the same.
    package let run: String
    /// The number of the event among its run's, counted from 0.
    package let sequence: UInt64
    /// When the source told it, in seconds since 1970.
    package let time: Double
    /// Whether it was told before, and what it had to lead to may not be done.
    package let isRedelivered: Bool

    package init(_ source: String, run: String = "", sequence: UInt64, time: Double, isRedelivered: Bool = false) {
        self.source = source
        self.run = run
        self.sequence = sequence
        self.time = time
        self.isRedelivered = isRedelivered
    }

    /// `source:sequence`, as people write it.
    package var cause: String { "\(source):\(sequence)" }

    /// What no other event is called, whichever process told it, and what this one is called when it is told again.
    package var id: String { run.isEmpty ? cause : "\(source):\(run):\(sequence)" }
}
