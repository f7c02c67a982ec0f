import RxControl
import RxEngine
import RxJSON
import RxLinux

/// What all sources and sinks of a process share: one inotify descriptor, one pool of connections, one place on the
/// bus.
package final class Host: Sendable {
    /// Makes a scheduler for the slow work of one sink, with this name.
    package typealias MakeScheduler = @Sendable (String) -> any SchedulerType

    package let files: FileWatcher
    package let http: HTTPClient
    package let units: Units
    /// Stores what waits for sinks; `nil` without a state directory.
    package let spools: (any SpoolStore)?
    /// What file sinks are about to write; `nil` without a state directory.
    package let batches: FileBatches?
    package let makeScheduler: MakeScheduler

    package init(
        files: FileWatcher = FileWatcher(),
        http: HTTPClient = HTTPClient(userAgent: "rxwatchd/\(version)"), units: Units = Units(),
        spools: (any SpoolStore)? = nil, batches: FileBatches? = nil,
        makeScheduler: @escaping MakeScheduler = { SerialDispatchQueueScheduler(internalSerialQueueName: $0) }
    ) {
        self.files = files
        self.http = http
        self.units = units
        self.spools = spools
        self.batches = batches
        self.makeScheduler = makeScheduler
    }
}

/// What a source finds around it.
package struct SourceContext: Sendable {
    /// What its events are said to come from.
    package var name = ""
    /// The scheduler of the component that it belongs to: it emits there.
    package let scheduler: any SchedulerType
    package let host: Host
    /// Called by a source that ``SourceKind/armsLater`` when it is armed: it emits what happens from then on.
    package let armed: @Sendable () -> Void
    /// The event that makes the source, with the step that it does so in; `nil` for a source of the config.
    var maker: (event: PipelineEvent, pipeline: String, step: String)?
    /// The position to resume from; `nil` to start anew.
    var position: @Sendable () -> JSON? = { nil }
    /// Called on the scheduler with the position that the source starts from.
    var began: @Sendable (JSON) -> Void = { _ in }
    /// Called on the scheduler when the source has emitted everything that the previous process may have emitted.
    var caughtUp: @Sendable () -> Void = {}
    /// Makes the permits of one run, for a source that blocks while `inFlight` is reached.
    var makePermits: @Sendable () -> InFlightPermits = { InFlightPermits() }
    /// Records what becomes of it: how grave that is, in words, and the error where it was one.
    package var record: @Sendable (Priority, String, (any Error)?) -> Void = { _, _, _ in }
}

extension Observable {
    /// The same, with something beside it that goes on for as long as it does.
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
