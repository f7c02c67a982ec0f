import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux

/// The resources that all sources and sinks of a process share.
///
/// They are the inotify descriptors, HTTP connections, the bus connection and the stores.
package final class Host: Sendable {
    /// Makes a scheduler for the slow work of one sink, with this name.
    package typealias MakeScheduler = @Sendable (String) -> any SchedulerType

    /// Returns the events of a source in a pipeline's steps, in its context.
    package typealias InnerEvents = @Sendable (any SourceKind, SourceContext) -> Observable<JSON>

    package let files: FileWatcher
    package let http: HTTPClient
    /// The client of the sinks.
    ///
    /// Its connections, threads and descriptors are its own: requests of sources cannot delay it.
    package let webhooks: HTTPClient
    package let units: Units
    /// The slots of the commands that steps start for events.
    let commands = CommandLimiter()
    /// The store of the sinks' spools; `nil` without a state directory.
    package let spools: (any SpoolStore)?
    /// The limit for large values from outside.
    package let memory: MemoryBudget
    /// The store of the lines that file sinks are about to write; `nil` without a state directory.
    package let batches: FileBatches?
    /// Makes the events of a source in a pipeline's steps.
    let innerEvents: InnerEvents
    package let makeScheduler: MakeScheduler
    /// The observers of what nodes do.
    package let taps: TapRegistry
    package let journalSources = JournalSourceNames()
    /// The barriers that show when sources have emitted everything up to now.
    package let barriers: BarrierStreams

    package init(
        files: FileWatcher = FileWatcher(),
        http: HTTPClient = HTTPClient(userAgent: "rxwatchd/\(version)"),
        // A client of its own, with its own resolver: the names of webhooks never wait for the 24 lookups of polls.
        webhooks: HTTPClient = HTTPClient(
            limits: .init(concurrency: 256, concurrencyPerServer: 64, lookups: 8, leavesDescriptors: false),
            userAgent: "rxwatchd/\(version)"), units: Units = Units(),
        spools: (any SpoolStore)? = nil, batches: FileBatches? = nil, memory: MemoryBudget = MemoryBudget(),
        taps: TapRegistry = TapRegistry(), barriers: BarrierStreams = BarrierStreams(),
        innerEvents: @escaping InnerEvents = { $0.events(in: $1) },
        makeScheduler: @escaping MakeScheduler = { SerialDispatchQueueScheduler(internalSerialQueueName: $0) }
    ) {
        self.files = files
        self.http = http
        self.webhooks = webhooks
        self.units = units
        self.spools = spools
        self.batches = batches
        self.memory = memory
        self.taps = taps
        self.barriers = barriers
        self.innerEvents = innerEvents
        self.makeScheduler = makeScheduler
    }
}

/// The context that a source runs in.
package struct SourceContext: Sendable {
    /// The name of the source that the events are emitted under.
    package var name = ""
    /// The scheduler on which the source emits: that of its component.
    package let scheduler: any SchedulerType
    package let host: Host
    /// Called by a source with ``SourceKind/armsLater`` when it is armed.
    ///
    /// It emits everything that happens from then on.
    package let armed: @Sendable () -> Void
    /// The outer event of an inner source, with its pipeline and step; `nil` for a source under `sources:`.
    var outer: (event: PipelineEvent, pipeline: String, step: String)?
    /// The credentials of the configuration, to which a source adds those that it reads; `nil` for none.
    var secrets: Secrets?
    /// Returns the position to resume from; `nil` to start without one.
    var position: @Sendable () -> JSON? = { nil }
    /// Called on the scheduler with the position that the source starts from.
    var began: @Sendable (JSON) -> Void = { _ in }
    /// Called on the scheduler when the source has emitted everything that the previous process may have emitted.
    var caughtUp: @Sendable () -> Void = {}
    /// Makes the permits of one run, for a source that blocks while `inFlight` is reached.
    var makePermits: @Sendable () -> InFlightPermits = { InFlightPermits() }
    /// Emits on the scheduler when an operator wants the source to emit or poll at once; for a source with a period.
    var fires = Observable<Void>.never()
    /// Called with the time until the source emits or polls next, for a source that knows.
    var waits: @Sendable (Duration) -> Void = { _ in }
    /// Writes a record about the source, with a priority, a message and an optional error.
    package var record: @Sendable (Priority, String, (any Error)?) -> Void = { _, _, _ in }
}

extension Observable {
    /// This observable with a companion: `start` is called for each subscription, and its disposable is disposed of
    /// with the subscription.
    func accompanied(by start: @escaping @Sendable () -> any Disposable) -> Observable {
        .using {
            let companion = SerialDisposable()
            companion.disposable = start()
            return companion
        } observableFactory: { _ in
            self
        }
    }
}
