import RxEngine

/// A sink of a running graph at one moment, with its work so far and its waiting events.
package struct SinkState: Sendable {
    /// The names of the pipeline and the sink, under which its events wait: "api/http".
    package let key: String
    /// The pipeline that the sink belongs to.
    package let pipeline: String
    /// The name of the sink, unique in the pipeline: "http", "http-2".
    package let name: String
    /// Whether events wait until the sink that this one replaces has ended.
    package let isHeld: Bool
    /// The numbers of events that wait, or were dropped.
    package let flow: Graph.Flow
    /// The memory that the events in memory take, in bytes.
    package let queuedBytes: Int
    /// The size of the events on disk, in bytes.
    package let spooledBytes: Int
    /// The source event of the oldest event that waits or is being worked on; `nil` if there is none.
    package let oldest: SourceEvent?
    /// What the sink has done so far.
    package let activity: SinkActivity.Summary
    /// The last failure of the sink; `nil` if there was none.
    package internal(set) var failure: NodeActivity.Failure?
}

extension Graph {
    /// The sinks as they are now, in the configuration's order.
    ///
    /// - Complexity: O(*n*) for *n* events that wait in memory.
    package var sinkStates: [SinkState] { runs.flatMap(\.sinkStates) }
}

extension PipelineRun {
    /// The sinks as they are now.
    fileprivate var sinkStates: [SinkState] {
        let failures = node.activity.summary.failures
        return sinks.states.map { state in
            var state = state
            state.failure = failures.last { $0.sink == state.name }
            return state
        }
    }
}
