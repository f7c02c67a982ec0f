import RxEngine

extension Graph {
    /// Rejects new events of all sources, except those that the host stops itself.
    package func close() {
        for node in nodes where node.rejectsWhenClosed { node.intake?.close() }
    }

    /// Whether no sink has queued events and no inner source runs.
    ///
    /// Unsettled events then only wait for timers. Valid only after the schedulers have run everything that was
    /// scheduled before.
    package var isAtRest: Bool {
        unsettledCount == 0 || innerSources.value == 0 && flow.queued == 0
    }

    /// Whether replaced nodes still finish events in flight, or further replacements wait for that.
    ///
    /// The closure does not retain the graph.
    package var isReplacing: @Sendable () -> Bool { { [retired] in retired.isReplacing } }

    /// The number of unsettled events.
    package var unsettledCount: Int {
        nodes.reduce(0) { $0 + ($1.intake?.count ?? 0) } + retired.allUnsettled.reduce(0) { $0 + $1.count }
    }

    /// A counter that grows whenever an unsettled event changes.
    package var unsettledVersion: Int {
        nodes.reduce(0) { $0 + ($1.intake?.version ?? 0) } + retired.allUnsettled.reduce(0) { $0 + $1.version }
    }

    /// Keeps every event unsettled from now on, even when its delivery is released.
    package func freeze() {
        isFrozen = true
        for unsettled in nodes.compactMap(\.intake?.unsettled) { unsettled.freeze() }
        retired.freeze()
        for run in runs + retired.all { run.freeze() }
        retired.stopReplacing()
    }

    /// The unsettled events.
    package var unsettled: [UnsettledEvent] {
        retired.allUnsettled.flatMap(\.all) + nodes.compactMap(\.intake).flatMap(\.all)
    }

    /// The number of unsettled events of each source.
    package var unsettledCounts: [String: Int] {
        Dictionary(nodes.compactMap { node in node.intake.map { (node.name, $0.count) } }) { first, _ in first
        }
    }
}
