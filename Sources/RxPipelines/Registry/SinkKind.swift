/// A kind of sink, as one entry under a pipeline's `to:` configures it.
package protocol SinkKind: Sendable {
    /// Reacts to an event. Called on the pipeline's scheduler: what takes long is queued, not waited for.
    ///
    /// A failure concerns this event and this sink alone.
    func take(_ event: PipelineEvent, _ surroundings: SinkSurroundings) throws
}

/// What a sink finds around it.
package struct SinkSurroundings: Sendable {
    /// The pipeline that the sink belongs to.
    package let pipeline: String
    /// The number of the config generation that is running.
    package let currentGeneration: @Sendable () -> Int
    /// Where its records go.
    package let records: any RecordWriter
    /// Takes lines for standard output, without waiting.
    package let printLine: @Sendable (String) -> Void
}

extension SinkSurroundings {
    /// The config generation that is running.
    package var generation: Int { currentGeneration() }
}
