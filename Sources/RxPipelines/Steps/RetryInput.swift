import RxEngine

// Unchecked: used on the pipeline's scheduler alone.
/// The input of the steps before a `retry`. It keeps the events that come while none of their attempts runs, and passes the next attempt
/// those that were in flight when one failed.
final class RetryInput: @unchecked Sendable {
    private let source: Observable<PipelineEvent>
    /// What the steps are called in ``StepResults``.
    private let steps: [String]
    private let entries = StepEntries()
    private var waiting: [Notification] = []
    /// The running attempt.
    private var attempt: Sink<PipelineEvent>?
    private var isPassing = false
    /// The event that the steps are being given.
    private var current: (any Delivery)?

    private enum Notification {
        case event(StepEntry)
        case end((any Error)?)
    }

    /// - Parameter steps: the names of the steps, for what they made of events.
    init(_ source: Observable<PipelineEvent>, steps: [String]) {
        self.source = source
        self.steps = steps
    }

    /// The events for one attempt of the steps.
    var events: Observable<PipelineEvent> {
        .source { sink in
            let place = ObjectIdentifier(sink)
            self.attempt = sink
            self.pass()
            return Disposables.create { if self.attempt.map({ ObjectIdentifier($0) }) == place { self.attempt = nil } }
        }
    }

    /// What the attempts make of the events, which are taken in as soon as the first attempt runs.
    func running(_ attempts: Observable<PipelineEvent>) -> Observable<PipelineEvent> {
        .source { sink in
            let running = attempts.map { $0.leaving(self.entries) }.run(sink)
            let incoming = self.source.subscribe(
                onNext: { self.take(.event(StepEntry(event: $0))) }, onError: { self.take(.end($0)) },
                onCompleted: { self.take(.end(nil)) })
            return Disposables.create(running, incoming)
        }
    }

    /// An attempt has failed: on an event, or else on that which it was being given. All others are processed again.
    func attemptHasFailed(on event: PipelineEvent?) {
        attempt = nil
        waiting = entries.left(without: event?.delivery ?? current, forgetting: steps).map { .event($0) } + waiting
    }

    private func take(_ notification: Notification) {
        waiting.append(notification)
        pass()
    }

    private func pass() {
        if isPassing { return }
        isPassing = true
        defer { isPassing = false }
        while let attempt, attempt.live.isActive, !waiting.isEmpty {
            switch waiting.removeFirst() {
            case .event(let entry):
                let event = entries.enter(entry)
                current = event.delivery
                attempt.next(event)
                current = nil
            case .end(let error?): attempt.error(error)
            case .end(nil): attempt.completed()
            }
        }
    }
}
