extension Graph {
    /// The numbers of queued and dropped events of a pipeline's sinks.
    package struct Flow: Sendable {
        /// The number of events that wait in memory or are being worked on.
        package let queued: Int
        /// The number of events that were dropped so far.
        package let dropped: Int
        /// The number of events that wait on disk, which `queued` does not include.
        package let spooled: Int

        package init(queued: Int, dropped: Int, spooled: Int = 0) {
            self.queued = queued
            self.dropped = dropped
            self.spooled = spooled
        }

        package static func + (left: Flow, right: Flow) -> Flow {
            Flow(
                queued: left.queued + right.queued, dropped: left.dropped + right.dropped,
                spooled: left.spooled + right.spooled)
        }
    }

    /// The flow of every pipeline that has sinks, by its name.
    package var flows: [String: Flow] {
        Dictionary(runs.map { ($0.account.name, $0.flow) }) { first, _ in first }
    }

    /// The flow of all pipelines, including replaced and removed ones, so that `dropped` never decreases.
    package var flow: Flow { runs.reduce(retired.flow) { $0 + $1.flow } }
}
