import RxEngine
import RxJSON
import RxLinux

/// Takes a line for standard output, without waiting.
package typealias PrintLine = @Sendable (String, WriteReceipt) -> Void

/// A kind of sink, as one entry under a pipeline's `to:` configures it.
package protocol SinkKind: Sendable {
    var settings: SinkSettings { get }

    /// The largest size of the events that wait on disk, in bytes; `nil` if they wait in memory.
    var spool: Int? { get }

    /// A sink of this kind that is ready for events. Nothing is touched before the first comes.
    func open(in context: SinkContext) -> any OpenSink
}

extension SinkKind {
    package var spool: Int? { nil }
}

/// A running sink. It receives events, and is drained, on its pipeline's scheduler.
package protocol OpenSink: AnyObject, Sendable {
    /// Reacts to an event: what takes long is queued, not waited for.
    ///
    /// A failure concerns this event and this sink alone. One that shows later is recorded by the sink itself.
    ///
    /// - Returns: whether the event is finished. For a queued one the sink calls ``SinkContext/finish(_:)`` later.
    func take(_ event: PipelineEvent) throws -> Bool

    /// The number of events that are queued or being processed.
    var queued: Int { get }
    /// The number of events that wait on disk.
    var spooled: Int { get }
    /// Called once, before the first event.
    func start()
    /// Keeps every event that waits on disk there from now on.
    func freeze()

    /// The events that are queued or being processed, in order of arrival.
    var unfinished: [PipelineEvent] { get }
    /// The number of events that were dropped, at least in part.
    var dropped: Int { get }

    /// Calls `done` when every event is finished, or dropped by ``dispose()``. Called once; no event is taken
    /// afterwards.
    func drain(_ done: @escaping @Sendable () -> Void)

    /// Finishes the running work, and calls `done` with the waiting events for the sink that replaces this one,
    /// preceded by those whose work ``dispose()`` cancelled meanwhile. Called once; no event is taken afterwards.
    func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void)

    /// Drops the queued events and cancels the running work.
    func dispose()
}

extension OpenSink {
    package var queued: Int { 0 }
    package var spooled: Int { 0 }
    package func start() {}
    package func freeze() {}
    package var unfinished: [PipelineEvent] { [] }
    package var dropped: Int { 0 }

    package func drain(_ done: @escaping @Sendable () -> Void) {
        done()
    }

    package func handOver(_ done: @escaping @Sendable ([PipelineEvent]) -> Void) {
        drain { done([]) }
    }

    package func dispose() {}
}

/// What a sink may use of the pipeline and process that it runs in.
package struct SinkContext: Sendable {
    /// The pipeline that the sink belongs to.
    package let pipeline: String
    /// The sink, by a name that is unique in the pipeline: "http", "http-2".
    package internal(set) var sink = ""
    /// The number of the config generation that is running.
    package let currentGeneration: @Sendable () -> Int
    package let host: Host
    /// Where its records go.
    package let records: any RecordWriter
    /// Takes lines for standard output, without waiting.
    package let printLine: PrintLine
    /// The key of the sink, unique in the graph: its events are queued, stored and noted under it.
    var key = ""
    /// What its live objects are charged to.
    var account: Resources.Account?
    /// The keys of the sinks of which events are stored. Those that cannot be read now stay there for a later sink.
    var spooledSinks: Set<String> = []
    /// Whether the events wait in a spool, which gives the sink a few at a time.
    var isSpooled = false
    /// Receives the events that the sink fails on.
    private let deadLetters: DeadLetters
    /// See ``whenNoted(_:)``.
    var noting: WhenNoted

    package typealias WhenNoted = @Sendable (@escaping @Sendable () -> Void) -> Bool

    init(
        pipeline: String, currentGeneration: @escaping @Sendable () -> Int, host: Host,
        records: any RecordWriter, printLine: @escaping PrintLine, deadLetters: DeadLetters = DeadLetters(),
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

    /// The same for a sink of the pipeline.
    func of(_ sink: String) -> SinkContext {
        var context = self
        context.sink = sink
        context.key = "\(pipeline)/\(sink)"
        return context
    }

    /// The config generation that is running.
    package var generation: Int { currentGeneration() }

    /// Records that the sink failed on an event, and passes it on as `onError` says. Such an event is not marked as
    /// finished: it is when the receivers are done with it. Delivered again before, it is passed on again.
    func fail(_ error: any Error, on event: PipelineEvent) {
        let failure = PipelineError(pipeline: pipeline, sink: sink, event: event, cause: error)
        records.write(failure.record(generation: generation))
        guard hasOnError, let description = failure.eventDescription else {
            return finish(event)
        }
        event.fail(at: key, description)
        passOn(description, of: event)
    }

    /// Whether `onError` says where events go that the sink fails on.
    var hasOnError: Bool { deadLetters.hasRoute(from: pipeline) }

    /// Passes an event that the sink failed on to where `onError` says.
    func passOn(_ failure: JSON, of event: PipelineEvent) {
        deadLetters.send(
            failure, of: event.failure(at: String(key.dropFirst(pipeline.count + 1))), from: pipeline)
    }

    /// Marks an event as finished: the sink will ignore it if it is redelivered.
    func finish(_ event: PipelineEvent) {
        event.finish(at: key)
    }

    /// How many events may be acted on together, where nobody can find out later which of them were: after a kill, all
    /// of them would be again, if they are delivered again at all.
    var mostAtOnce: Int { host.batches == nil ? 100 : 1 }

    /// Calls `body`, on any thread, when it is stored which events the sinks have finished: a kill before that repeats
    /// them. So a sink begins nothing else meanwhile.
    ///
    /// - Returns: `false`, without a call, if all of it is stored.
    ///
    /// - Parameter spools: the spools whose sinks have failed on some of the events: they store what becomes of these.
    func whenNoted(by spools: [SpooledSink] = [], _ body: @escaping @Sendable () -> Void) -> Bool {
        let others = spools.map { spool in { @Sendable body in spool.whenWritten(body) } as WhenNoted }
        return Self.wait(for: [noting] + others, body)
    }

    private static func wait(for stores: ArraySlice<WhenNoted>, _ body: @escaping @Sendable () -> Void) -> Bool {
        var rest = stores
        while let next = rest.popFirst() {
            let others = rest
            if next({ if !wait(for: others, body) { body() } }) { return true }
        }
        return false
    }

    /// The spools of other sinks among whose failures these events are.
    func otherSpools(of events: some Sequence<PipelineEvent>) -> [SpooledSink] {
        var found: [ObjectIdentifier: SpooledSink] = [:]
        for event in events {
            if let spool = event.delivery?.spool, spool.context.key != key { found[ObjectIdentifier(spool)] = spool }
        }
        return Array(found.values)
    }

    /// Records what the sink has done for an event.
    func record(done what: String, for event: PipelineEvent) {
        records.write(
            Record(
                .sink, generation: generation, "\(pipeline): \(sink) done: \(what)",
                [
                    .pipeline: pipeline, .source: event.source, .sink: sink, .sequence: String(event.sequence),
                    .cause: event.cause, .eventID: event.id,
                ]))
    }

    /// Records something about the sink that is no single event's doing.
    func record(
        _ priority: Priority, _ message: String, error: SystemError? = nil, dropped: Int? = nil, unsettled: Int? = nil,
        spooled: Int? = nil
    ) {
        records.write(
            Record(
                .sink, priority, generation: generation, "\(pipeline): \(sink) \(message)",
                [
                    .pipeline: pipeline, .sink: sink, .error: error.map { "\($0)" },
                    .errorType: error.map { _ in "SystemError" }, .dropped: dropped.map { String($0) },
                    .unsettled: unsettled.map { String($0) }, .spooled: spooled.map { String($0) },
                ]))
    }
}
