import RxEngine
import RxLinux

/// What all sources and sinks of a process share: one inotify descriptor, one pool of connections, one place on the bus.
package final class Host: Sendable {
    package let files = FileWatcher()
    package let http: HTTPClient
    package let units: Units

    package init(http: HTTPClient = HTTPClient(userAgent: "rxwatchd/\(version)"), units: Units = Units()) {
        self.http = http
        self.units = units
    }
}

/// What a source finds around it.
package struct SourceSurroundings: Sendable {
    /// The scheduler of the component that it belongs to: what it tells, it tells there.
    package let scheduler: any SchedulerType
    package let host: Host
    /// Called by a source that ``SourceKind/armsLater`` when it is armed: what happens from then on, it tells.
    package let armed: @Sendable () -> Void
}
