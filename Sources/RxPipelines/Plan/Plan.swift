import RxDiagnostics
import RxEngine
import RxLinux

/// A configuration that was read and is valid.
package struct Plan: Sendable {
    /// An entry under `sources:`.
    package struct Source: Sendable {
        package let name: String
        /// The kind's name: "interval".
        package let kindName: String
        package let kind: any SourceKind
        /// The text of the source in the configuration, without its settings.
        ///
        /// A reload keeps a source whose text is unchanged.
        let content: String
        /// The paths that the source uses.
        var paths: [ConfiguredPath] = []
    }

    /// An entry under `pipelines:`.
    package struct Pipeline: Sendable {
        package let name: String
        /// The sources or pipelines that the pipeline takes events from.
        package let inputs: InputNodes
        /// The names of all nodes that the pipeline takes events from, each once.
        package let dependencies: [String]
        var placedSteps: [PlacedStep]
        package let replay: Int
        package let scope: SubjectLifetimeScope
        /// Whether its state is not saved.
        let isVolatile: Bool
        package let onError: ErrorPolicy
        /// The pipelines that receive the events that its steps and sinks failed on.
        let failuresTo: [String]
        /// Whether the pipeline receives failed events of others.
        let takesFailures: Bool
        package internal(set) var sinks: [PlannedSink]
        /// The text of the pipeline in the configuration, without its sinks.
        let content: String
        /// The locations of the pipeline's expressions and templates, except those of its sinks.
        let locationCells: [SourceLocationCell]
        /// The paths that the pipeline's steps use.
        var paths: [ConfiguredPath] = []

        package var steps: [any StepKind] { placedSteps.map(\.kind) }
    }

    /// How often the live counts are recorded.
    package var resourcesEvery = Duration.seconds(30)
    /// How long unfinished work may take when the daemon stops or reloads.
    package var drainWithin = Duration.seconds(5)
    /// Where the status page is served; `nil` for nowhere.
    package var page: WebAddress?
    package var sources: [Source] = []
    /// The pipelines, each after those it takes events from.
    package var pipelines: [Pipeline] = []
    /// The entries under `tests:`.
    package var tests: [(name: String, location: SourceLocation, test: PlannedTest)] = []
    /// The credentials that the plan contains.
    var secrets = Secrets()
}

extension Plan {
    /// Assigns each location to its pipeline, and to the pipelines that run on the same scheduler.
    func assignPlaces<Group: AnyObject>(_ group: (String) -> Group?) {
        let groups = Dictionary(grouping: pipelines) { pipeline in group(pipeline.name).map { ObjectIdentifier($0) } }
        for pipelines in groups.values {
            let names = pipelines.map(\.name)
            for pipeline in pipelines {
                for locationCell in pipeline.locationCells + pipeline.sinks.flatMap(\.locationCells) {
                    locationCell.belong(to: pipeline.name, among: names)
                }
            }
        }
    }
}
