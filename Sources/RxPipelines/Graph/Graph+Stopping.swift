import RxEngine

extension Graph {
    /// Takes in nothing more that sources tell, except where their events are on their way already.
    package func close() {
        for node in nodes where node.takesNoMoreWhenClosed { node.intake?.unsettled.close() }
    }

    /// Whether nothing is being done any more: no sink has anything waiting, and no source that an event has made is running.
    /// What is left is waiting for its time. To be asked when the schedulers have done what they had to do.
    package var isAtRest: Bool {
        unsettledCount == 0 || innerSources.value == 0 && flow.queued == 0
    }

    /// How many events something is owed to.
    package var unsettledCount: Int {
        nodes.reduce(0) { $0 + ($1.intake?.count ?? 0) } + departed.allUnsettled.reduce(0) { $0 + $1.count }
    }

    /// How often something has changed about these events.
    package var unsettledVersion: Int {
        nodes.reduce(0) { $0 + ($1.intake?.version ?? 0) } + departed.allUnsettled.reduce(0) { $0 + $1.version }
    }

    /// From now on letting go of an event settles it no more.
    package func freeze() {
        isFrozen = true
        for unsettled in nodes.compactMap(\.intake?.unsettled) + departed.allUnsettled { unsettled.freeze() }
    }

    /// The events that something is still owed to.
    package var unsettled: [UnsettledEvent] {
        departed.allUnsettled.flatMap(\.all) + nodes.compactMap(\.intake).flatMap(\.all)
    }

    /// How many of each source.
    package var unsettledCounts: [String: Int] {
        Dictionary(nodes.compactMap { node in node.intake.map { (node.name, $0.count) } }) { first, _ in first
        }
    }
}
