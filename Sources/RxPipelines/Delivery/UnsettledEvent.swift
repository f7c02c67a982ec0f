import RxJSON

/// A source event that is not settled, with everything that redelivers it.
package struct UnsettledEvent: Sendable {
    package let event: SourceEvent
    /// The value that the source emitted.
    package let value: JSON
    /// The progress of the sinks with it.
    package var progress: SinkProgress
    /// The results of stateful steps for the event.
    package internal(set) var results: StepResults
    /// The number of the event, from 1, among all that the sources of its component have accepted; 0 if unknown.
    package var order: Int

    package init(
        _ event: SourceEvent, _ value: JSON, _ progress: SinkProgress = SinkProgress(),
        _ results: StepResults = StepResults(), order: Int = 0
    ) {
        self.order = order
        self.event = event
        self.value = value
        self.progress = progress
        self.results = results
    }

    /// This event with another ``order``.
    func numbered(_ order: Int) -> UnsettledEvent { UnsettledEvent(event, value, progress, results, order: order) }

    /// This event, to be redelivered.
    package var toBeRedelivered: UnsettledEvent {
        UnsettledEvent(event.redelivered, value, progress.toBeRedelivered, StepResults(results.made), order: order)
    }
}
