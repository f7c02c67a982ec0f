import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON
import RxLinux

/// Queues a line for standard output without blocking, and reports the outcome to the receipt.
package typealias PrintLine = @Sendable (String, WriteReceipt) -> Void

/// A kind of sink, as one entry under a pipeline's `to:` configures it.
package protocol SinkKind: Sendable {
    var settings: SinkSettings { get }

    /// The largest size of the events that wait on disk, in bytes; `nil` if they wait in memory.
    var spool: Int? { get }

    /// Returns what a sink of this kind would do for an event, without doing it.
    ///
    /// - Throws: an error that the event would fail with before anything is done.
    func action(for event: PipelineEvent, in context: SinkContext) throws -> SinkAction

    /// Opens a sink of this kind. It accesses nothing before its first event.
    func open(in context: SinkContext) -> any OpenSink
}

extension SinkKind {
    package var spool: Int? { nil }
}

/// What a kind of sink opens to do its work. It receives events, and is drained, on its pipeline's scheduler.
package protocol OpenSink: AnyObject, Sendable {
    /// Processes an event, or queues it: the call must not block.
    ///
    /// - Throws: an error that concerns only this event and this sink. The sink itself records a later failure.
    /// - Returns: whether the event is finished. For a queued event the sink calls ``SinkContext/finish(_:)`` later.
    func receive(_ event: PipelineEvent) throws -> Bool

    /// The number of events that are queued or being processed.
    var queued: Int { get }
    /// The number of events that wait on disk.
    var spooled: Int { get }
    /// The size of the events that wait on disk, in bytes.
    var spooledBytes: Int { get }
    /// Called once, before the first event.
    func start()
    /// Keeps every event that waits on disk there from now on.
    func freeze()

    /// The events that are queued or being processed, in order of arrival.
    var unfinished: [PipelineEvent] { get }
    /// The oldest event that waits, in memory or on disk, or is being processed.
    var oldest: PipelineEvent? { get }
    /// The number of events that were dropped, completely or in part.
    var dropped: Int { get }

    /// Calls `done` when every event is finished, or dropped by ``dispose()``. Called once, and ``receive(_:)`` is not
    /// called afterwards.
    func drain(_ done: @escaping @Sendable () -> Void)

    /// Finishes the running work, and calls `done` with the waiting events for the sink that replaces this one,
    /// preceded by those whose work ``dispose()`` cancelled meanwhile. Called once, and ``receive(_:)`` is not called
    /// afterwards.
    func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void)

    /// Drops the queued events and cancels the running work.
    func dispose()

    /// Makes the attempts at once that wait for their time.
    func endPauses()

    /// Drops the queued events whose ids match, and calls `done` with their number.
    func drop(_ isMatching: @escaping @Sendable (String) -> Bool, _ done: @escaping @Sendable (DropResult) -> Void)
}

/// The number of events that were dropped, or why some could not be.
package typealias DropResult = Result<Int, any Error>

extension OpenSink {
    package var queued: Int { 0 }
    package var spooled: Int { 0 }
    package var spooledBytes: Int { 0 }
    package func start() {}
    package func freeze() {}
    package var unfinished: [PipelineEvent] { [] }
    package var oldest: PipelineEvent? { unfinished.first }
    package var dropped: Int { 0 }

    package func drain(_ done: @escaping @Sendable () -> Void) {
        done()
    }

    package func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        drain { done([]) }
    }

    package func dispose() {}

    package func endPauses() {}

    package func drop(
        _ isMatching: @escaping @Sendable (String) -> Bool, _ done: @escaping @Sendable (DropResult) -> Void
    ) {
        done(.success(0))
    }
}

/// The context that a sink runs in: its pipeline, and the resources of the process.
package struct SinkContext: Sendable {
    /// The pipeline that the sink belongs to.
    package let pipeline: String
    /// The name of the sink, unique in the pipeline: "http", "http-2".
    package internal(set) var sink = ""
    /// Returns the number of the configuration generation that is running.
    package let currentGeneration: @Sendable () -> Int
    package let host: Host
    /// The writer of the sink's records.
    package let records: any RecordWriter
    /// Queues lines for standard output.
    package let printLine: PrintLine
    /// The activity of the pipeline.
    var activity: NodeActivity?
    /// The activity of the sink.
    var sinkActivity: SinkActivity?
    /// The key of the sink, unique in the graph: its events are queued, stored and noted under it.
    var key = ""
    /// The account that the sink's live objects are charged to.
    var account: Resources.Account?
    /// The client of the jq evaluators for the sink's templates.
    var client: JQClient?
    /// The credentials of the sink's configuration.
    ///
    /// The sink retains them, so that records are redacted for as long as it works.
    var secrets = Secrets()
    /// The keys of the sinks that have stored events. Events that cannot be read now stay there for a later sink.
    var spooledSinks: Set<String> = []
    /// See ``SinkSettings/recordsAll``.
    var recordsAll = false
    /// Whether the events wait in a spool, which passes a few at a time to the sink.
    var isSpooled = false
    /// The router of the events that the sink fails on.
    private let deadLetters: DeadLetterRouter
    /// See ``whenNoted(by:_:)``.
    var noting: WhenNoted

    /// Calls a closure when the progress of sinks is stored; returns `false`, without a call, if it is stored already.
    package typealias WhenNoted = @Sendable (@escaping @Sendable () -> Void) -> Bool

    init(
        pipeline: String, currentGeneration: @escaping @Sendable () -> Int, host: Host,
        records: any RecordWriter, printLine: @escaping PrintLine, deadLetters: DeadLetterRouter = DeadLetterRouter(),
        whenNoted: @escaping WhenNoted = { _ in false }
    ) {
        noting = whenNoted
        self.pipeline = pipeline
        self.currentGeneration = currentGeneration
        self.host = host
        self.records = records
        self.printLine = printLine
        self.deadLetters = deadLetters
    }

    /// This context for a sink of the pipeline.
    func of(_ sink: String) -> SinkContext {
        var context = self
        context.sink = sink
        context.key = "\(pipeline)/\(sink)"
        return context
    }

    /// The configuration generation that is running.
    package var generation: Int { currentGeneration() }

    /// Records that the sink failed on an event. Without `onError` the event is finished. With `onError` its receivers
    /// get the event, which is settled when they have finished it; if it is redelivered before, they get it again.
    func fail(_ error: any Error, on event: PipelineEvent) {
        let failure = PipelineError(pipeline: pipeline, sink: sink, event: event, cause: error)
        activity?.failed("\(failure)", at: sink, on: event.origin)
        records.write(failure.record(generation: generation))
        guard hasOnError, let description = failure.eventDescription.map({ secrets.redacted($0) }) else {
            return finish(event)
        }
        event.fail(at: key, description)
        passOn(description, of: event)
    }

    /// Notes that the sink has failed on an event and tries again; records the first failure after a success.
    func willRetry(_ error: any Error, on event: PipelineEvent?) {
        sinkActivity?.willRetry()
        // Whether it still tries again when somebody reads the failure is in `isRetried`; a record is of this moment.
        guard let activity, let event,
            activity.failed("\(pipeline): \(sink) failed: \(error)", at: sink, on: event.origin, isRetried: true)
        else { return }
        record(.notice, "failed, and tries again: \(error)", about: event)
    }

    /// Why an event that an operator drops is not tried again.
    static let wasDropped = "the event was dropped \(onRequest)"
    /// Why an event is dropped that an operator drops.
    static let onRequest = "on request"

    /// Drops events: each has a record, if the sink records all, and is finished.
    func drop(_ events: [PipelineEvent], because reason: String) {
        for event in events {
            recordDrop(of: event.id, from: event.origin, because: reason)
            finish(event)
        }
    }

    /// Records that the sink drops an event, and notifies the observers of its pipeline.
    func recordDrop(of id: String, from origin: SourceEvent, because reason: String) {
        activity?.dropped(origin, id: id, at: sink, because: reason)
        guard recordsAll else { return }
        records.write(
            Record(
                .sink, .debug, generation: generation, "\(pipeline): \(sink) dropped the event \(id): \(reason)",
                [
                    .pipeline: pipeline, .sink: sink, .source: origin.source, .sequence: String(origin.sequence),
                    .cause: origin.cause, .eventID: id, .sourceTime: origin.recordedTime,
                ]))
    }

    /// Notes why the sink does not try events again that it was to try again.
    func giveUp(on events: [PipelineEvent], because reason: String) {
        if !events.isEmpty { activity?.gaveUp(at: sink, on: Set(events.map(\.origin.id)), because: reason) }
    }

    /// Notes that the sink has done its work for an event, and marks the event as finished.
    func succeed(on event: PipelineEvent) {
        activity?.succeeded(at: sink)
        sinkActivity?.delivered(event.origin)
        finish(event)
    }

    /// Whether `onError` has receivers for the events that the sink fails on.
    var hasOnError: Bool { deadLetters.hasRoute(from: pipeline) }

    /// Sends an event that the sink failed on to the receivers of `onError`.
    func passOn(_ failure: JSON, of event: PipelineEvent) {
        deadLetters.send(
            failure, of: event.failure(at: String(key.dropFirst(pipeline.count + 1))), from: pipeline)
    }

    /// Marks an event as finished: the sink will ignore it if it is redelivered.
    func finish(_ event: PipelineEvent) {
        event.finish(at: key)
    }

    /// The largest batch of a sink whose output cannot be checked after a kill: the next process would repeat the whole
    /// batch. Without a state directory no event is redelivered after a kill, and batches may be larger.
    var maximumBatch: Int { host.batches == nil ? 100 : 1 }

    /// Calls `body`, on any thread, when the progress of the sinks is stored. A kill before that repeats the events, so
    /// a sink begins no other work meanwhile.
    ///
    /// - Parameters:
    ///   - spools: the spools of other sinks that failed on some of the events, which store the progress of these.
    ///   - body: called when everything is stored.
    /// - Returns: `false`, without a call, if everything is stored already.
    func whenNoted(by spools: [SpooledSink] = [], _ body: @escaping @Sendable () -> Void) -> Bool {
        let others = spools.map { spool in { @Sendable body in spool.whenWritten(body) } as WhenNoted }
        return Self.wait(for: [noting] + others, body)
    }

    /// Calls `body` when each of these stores has called back, one after the other.
    private static func wait(for stores: ArraySlice<WhenNoted>, _ body: @escaping @Sendable () -> Void) -> Bool {
        var rest = stores
        while let next = rest.popFirst() {
            let others = rest
            if next({ if !wait(for: others, body) { body() } }) { return true }
        }
        return false
    }

    /// The spools of other sinks that failed on some of these events.
    func otherSpools(of events: some Sequence<PipelineEvent>) -> [SpooledSink] {
        var found: [ObjectIdentifier: SpooledSink] = [:]
        for event in events {
            if let spool = event.delivery?.spool, spool.context.key != key { found[ObjectIdentifier(spool)] = spool }
        }
        return Array(found.values)
    }

    /// Records the finished work of the sink for an event.
    func record(done what: String, for event: PipelineEvent) {
        records.write(
            Record(
                .sink, generation: generation, "\(pipeline): \(sink) done: \(what)",
                [
                    .pipeline: pipeline, .source: event.source, .sink: sink, .sequence: String(event.sequence),
                    .cause: event.cause, .eventID: event.id, .sourceValue: event.shownSourceValue,
                    .sourceTime: event.origin.recordedTime,
                ]))
    }

    /// Writes a record about the sink, which may concern an event.
    func record(
        _ priority: Priority, _ message: String, error: SystemError? = nil, dropped: Int? = nil, unsettled: Int? = nil,
        spooled: Int? = nil, about event: PipelineEvent? = nil
    ) {
        records.write(
            Record(
                .sink, priority, generation: generation, "\(pipeline): \(sink) \(message)",
                [
                    .pipeline: pipeline, .sink: sink, .source: event?.source, .cause: event?.cause, .eventID: event?.id,
                    .sourceTime: event?.origin.recordedTime, .error: error.map { "\($0)" },
                    .errorType: error.map { _ in "SystemError" }, .dropped: dropped.map { String($0) },
                    .unsettled: unsettled.map { String($0) }, .spooled: spooled.map { String($0) },
                ]))
    }
}
