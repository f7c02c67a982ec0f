import FoundationEssentials
import RxEngine

/// What a sink has done so far. A sink that a reload replaces passes it on to the sink that takes its place.
package final class SinkActivity: Sendable {
    /// The work of a sink up to one moment.
    package struct Summary: Sendable {
        /// The number of events that the sink has done its work for.
        package fileprivate(set) var delivered = 0
        /// The source event of the last of them, and when its work was done.
        package fileprivate(set) var last: (event: SourceEvent, time: RxTime)?
        /// The number of failed attempts after which the sink was to try again.
        package fileprivate(set) var retries = 0
    }

    private let state = Locked(Summary())
    private let scheduler: any SchedulerType

    /// - Parameter scheduler: the scheduler whose time is noted.
    init(on scheduler: any SchedulerType) {
        self.scheduler = scheduler
    }

    /// The work up to now.
    var summary: Summary { state.withLock(\.self) }

    /// Counts an event that the sink has done its work for.
    func delivered(_ event: SourceEvent) {
        let now = scheduler.now
        let previous = state.withLock { state in
            defer { state.last = (event, now) }
            state.delivered += 1
            return state.last
        }
        // Released outside the lock.
        withExtendedLifetime(previous) {}
    }

    /// Counts an attempt that has failed and that another one follows.
    func willRetry() {
        state.withLock { $0.retries += 1 }
    }
}
