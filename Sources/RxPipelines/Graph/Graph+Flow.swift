extension Graph {
    /// How much waits in a pipeline's sinks, or is being worked on, and how much they have dropped so far.
    package struct Flow: Sendable {
        package let queued: Int
        package let dropped: Int
        /// How much of it waits on disk, and is not in `queued`.
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

    /// The same of every pipeline that has sinks, by its name.
    package var flows: [String: Flow] {
        Dictionary(runs.map { ($0.account.name, $0.flow) }) { first, _ in first }
    }

    /// The same of all together, and of those that have run before: what was dropped is never less than it was.
    package var flow: Flow { runs.reduce(retired.flow) { $0 + $1.flow } }
}
