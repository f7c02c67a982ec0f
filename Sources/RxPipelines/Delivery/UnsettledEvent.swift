/// An event that its source has emitted and that is not settled.
package struct UnsettledEvent: Sendable {
    package let event: SourceEvent
    /// The value that the source emitted.
    package let value: JSON
    /// What sinks and steps did; `nil` if nothing. Most events are settled before.
    private var notes: Notes?
    /// The number of the event among all that its source has accepted.
    var order = 0
    /// Whether a snapshot has the event.
    var isCaptured = false

    // Unchecked: changed only while a single event holds it.
    private final class Notes: @unchecked Sendable {
        var progress: SinkProgress
        var results: StepResults

        init(_ progress: SinkProgress, _ results: StepResults) {
            self.progress = progress
            self.results = results
        }
    }

    package init(
        _ event: SourceEvent, _ value: JSON, _ progress: SinkProgress? = nil, _ results: StepResults? = nil
    ) {
        self.event = event
        self.value = value
        if progress != nil || results != nil {
            notes = Notes(progress ?? SinkProgress(), results ?? StepResults())
        }
    }

    /// What sinks have done for it.
    package var progress: SinkProgress { notes?.progress ?? SinkProgress() }

    /// What stateful steps have made of it.
    package var results: StepResults { notes?.results ?? StepResults() }

    private mutating func ownNotes() -> Notes {
        if isKnownUniquelyReferenced(&notes), let notes { return notes }
        let own = Notes(progress, results)
        notes = own
        return own
    }

    mutating func changeProgress<Value>(_ body: (inout SinkProgress) -> Value) -> Value {
        body(&ownNotes().progress)
    }

    mutating func changeResults<Value>(_ body: (inout StepResults) -> Value) -> Value {
        body(&ownNotes().results)
    }

    /// Adds what is finished in another record of the same event.
    package mutating func add(_ progress: SinkProgress) {
        changeProgress { $0.add(progress) }
    }

    /// This event, to be redelivered.
    package var toBeRedelivered: UnsettledEvent {
        let again = SourceEvent(
            event.source, run: event.run, sequence: event.sequence, time: event.time, isRedelivered: true)
        return UnsettledEvent(again, value, SinkProgress(done: progress.done), StepResults(results.made))
    }
}
