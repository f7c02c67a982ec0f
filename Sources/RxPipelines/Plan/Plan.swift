import RxEngine

/// A config that has been read and found to make sense.
package struct Plan: Sendable {
    /// An entry under `sources:`.
    package struct Source: Sendable {
        package let name: String
        /// The kind's name: "interval".
        package let kindName: String
        package let kind: any SourceKind
    }

    /// An entry under `pipelines:`.
    package struct Pipeline: Sendable {
        package let name: String
        /// The node it starts from, a source or another pipeline.
        package let from: String
        package let steps: [any StepKind]
        package let replay: Int
        package let scope: SubjectLifetimeScope
        package let sinks: [(name: String, kind: any SinkKind)]
    }

    /// How often the live counts are recorded.
    package var resourcesEvery = Duration.seconds(30)
    /// How long sinks may finish their work when the daemon stops.
    package var drainWithin = Duration.seconds(5)
    package var sources: [Source] = []
    /// In an order in which each comes after the one it starts from.
    package var pipelines: [Pipeline] = []
}
