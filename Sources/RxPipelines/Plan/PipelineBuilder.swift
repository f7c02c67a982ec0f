import RxDiagnostics
import RxEngine

/// An entry under `pipelines:` before its references to nodes are resolved.
struct PipelineBuilder {
    let inputs: InputNodes
    let steps: [PlacedStep]
    let replay: Int
    let scope: SubjectLifetimeScope
    let isVolatile: Bool
    let onError: ErrorHandling
    let sinks: [PlannedSink]
    /// The pipeline's text in the configuration, without its sinks and the receivers of `onError`.
    let content: String
    /// The locations of expressions and templates in that text.
    let running: [SourceLocationCell]
    /// The paths that the steps use.
    let paths: [ConfiguredPath]
}

extension PipelineBuilder {
    /// The nodes that the pipeline takes events from, by its inputs and its steps.
    var references: [LocatedText] {
        inputs.members.map(\.node) + steps.flatMap(\.kind.nodes)
    }

    /// The references with names that are not too long to be valid.
    var possibleReferences: [LocatedText] {
        references.filter { $0.text.utf8.count <= NodeNames.maximumLength }
    }
}

extension FieldType where Value == PipelineBuilder {
    static var pipeline: Self {
        let placedStep = FieldType<PlacedStep>(
            Registry.steps.type.expected, schema: Registry.steps.type.schema
        ) { node, context in
            Registry.steps.type.read(node, context).map {
                PlacedStep(name: $0.name, kind: $0.kind, locationCell: context.locationCell(at: node.location))
            }
        }
        return FieldType("a mapping with 'from' and 'to'", schema: ["type": "object"]) { node, context in
            var fields = FieldReader(node, in: "the pipeline", context)
            let (read, collected) = context.collecting {
                (
                    inputs: fields.inputs(),
                    steps: fields.optional(
                        "steps", .list(of: placedStep), "The steps that events pass, in this order") ?? [],
                    share: fields.optional("share", .share, "How subscribers share the events of this pipeline")
                        ?? ShareSettings(),
                    isVolatile: fields.optional(
                        "state", .choice([("saved", false), ("volatile", true)]),
                        "Whether the state of the steps survives a restart; default: saved") ?? false
                )
            }
            let onError =
                fields.optional("onError", .errorHandling, "What happens after a failure; default: restart")
                ?? ErrorHandling()
            let sinks = fields.optional("to", .list(of: .sink), "The sinks that receive the events") ?? []
            // The references are checked even if there are other errors in the pipeline.
            _ = fields.finish(misplaced: Registry.misplacedInPipeline)
            guard let inputs = read.inputs else { return nil }
            return PipelineBuilder(
                inputs: inputs, steps: read.steps, replay: read.share.replay, scope: read.share.scope,
                isVolatile: read.isVolatile, onError: onError, sinks: sinks,
                content: node.without("to").without("onError").content + onError.policy.rawValue,
                running: collected.locationCells, paths: collected.usedPaths)
        }
    }
}

/// The value of `share:`.
private struct ShareSettings {
    var replay = 1
    var scope = SubjectLifetimeScope.whileConnected
}

extension FieldType where Value == ShareSettings {
    fileprivate static var share: Self {
        let expected = "a mapping such as { replay: 1, scope: whileConnected }"
        return FieldType(expected, schema: ["type": "object"]) { node, context in
            var fields = FieldReader(node, in: "share", context)
            var settings = ShareSettings()
            let scopes: [(String, SubjectLifetimeScope)] = [("whileConnected", .whileConnected), ("forever", .forever)]
            settings.replay =
                fields.optional(
                    "replay", .int(0...1_000_000), "How many of the latest events a new subscriber receives; default: 1"
                ) ?? settings.replay
            settings.scope =
                fields.optional(
                    "scope", .choice(scopes), "How long the events to replay are kept; default: whileConnected")
                ?? settings.scope
            return fields.finish(example: { _ in "{ replay: 3 }" }) ? settings : nil
        }
    }
}
