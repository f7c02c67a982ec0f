/// A sink that writes lines. Its dropped events include those whose lines were refused.
final class OpenLineSink: OpenSink {
    private let queue: SinkQueue
    private let failures: LineFailureCounter

    init(_ queue: SinkQueue, _ failures: LineFailureCounter) {
        self.queue = queue
        self.failures = failures
    }

    var queued: Int { queue.queued }
    var unfinished: [PipelineEvent] { queue.unfinished }
    var dropped: Int { queue.dropped + failures.count }

    func receive(_ event: PipelineEvent) throws -> Bool { try queue.receive(event) }
    func drain(_ done: @escaping @Sendable () -> Void) { queue.drain(done) }
    func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) { queue.handOver(done) }
    func dispose() { queue.dispose() }
    func endPauses() { queue.endPauses() }
    func drop(_ isMatching: @escaping @Sendable (String) -> Bool, _ done: @escaping @Sendable (DropResult) -> Void) {
        queue.drop(isMatching, done)
    }
}
