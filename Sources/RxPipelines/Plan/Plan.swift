import RxDiagnostics
import RxEngine

/// A config that has been read and found to make sense.
package struct Plan: Sendable {
    /// An entry under `sources:`.
    package struct Source: Sendable {
        package let name: String
        /// The kind's name: "interval".
        package let kindName: String
        package let kind: any SourceKind
        /// What the config says of it. Where two readings say the same, it is the same source.
        let content: String
    }

    /// An entry under `pipelines:`.
    package struct Pipeline: Sendable {
        package let name: String
        /// What it starts from, sources or other pipelines.
        package let inputs: Inputs
        /// The names of all nodes that it takes events from, each once.
        package let dependencies: [String]
        package let steps: [any StepKind]
        package let replay: Int
        package let scope: SubjectLifetimeScope
        /// Whether its state is not saved.
        let isVolatile: Bool
        package let onError: ErrorPolicy
        /// The pipelines that take what its steps and sinks have failed on.
        let failuresTo: [String]
        /// Whether it takes what others have failed on.
        let takesFailures: Bool
        package let sinks: [PlannedSink]
        /// What the config says of it besides its sinks.
        let content: String
        /// Where what runs of it stands, but for its sinks.
        let places: [SourceLocationCell]
    }

    /// How often the live counts are recorded.
    package var resourcesEvery = Duration.seconds(30)
    /// How long sinks may finish their work when the daemon stops.
    package var drainWithin = Duration.seconds(5)
    package var sources: [Source] = []
    /// In an order in which each comes after those it takes events from.
    package var pipelines: [Pipeline] = []
    /// What says how the pipelines are to behave.
    package var tests: [(name: String, test: PlannedTest)] = []
    /// The credentials that are in it.
    var secrets = Secrets()
}

extension Plan {
    /// Says of each place whose it is, and which pipelines run on the same scheduler.
    func assignPlaces<Group: AnyObject>(_ group: (String) -> Group?) {
        let groups = Dictionary(grouping: pipelines) { pipeline in group(pipeline.name).map { ObjectIdentifier($0) } }
        for pipelines in groups.values {
            let names = pipelines.map(\.name)
            for pipeline in pipelines {
                for place in pipeline.places + pipeline.sinks.flatMap(\.places) {
                    place.belong(to: pipeline.name, among: names)
                }
            }
        }
    }
}
