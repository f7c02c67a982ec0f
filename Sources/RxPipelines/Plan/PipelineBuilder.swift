import RxDiagnostics
import RxEngine

/// An entry under `pipelines:`, before it is known what the nodes that it names are.
struct PipelineBuilder {
    let inputs: Inputs
    let steps: [(name: String, kind: any StepKind)]
    /// Where each step stands.
    let places: [SourceLocation]
    let replay: Int
    let scope: SubjectLifetimeScope
    let isVolatile: Bool
    let onError: ErrorHandling
    let sinks: [PlannedSink]
    /// What the config says of the pipeline, but for its sinks and for `onError`.
    let content: String
    /// Where of the same stands what will run.
    let running: [SourceLocationCell]
}

extension PipelineBuilder {
    /// The nodes that it takes events from.
    var references: [LocatedText] {
        inputs.members.map(\.node) + steps.flatMap(\.kind.nodes)
    }

    /// Those of them that may be there.
    var possibleReferences: [LocatedText] {
        references.filter { $0.text.utf8.count <= NodeNames.maximumLength }
    }
}

extension FieldType where Value == PipelineBuilder {
    static var pipeline: Self {
        let placedStep = FieldType<(place: SourceLocation, step: (name: String, kind: any StepKind))>(
            Registry.steps.type.expected, schema: Registry.steps.type.schema
        ) { node, context in
            Registry.steps.type.read(node, context).map { (node.location, $0) }
        }
        return FieldType("a mapping with 'from' and 'to'", schema: ["type": "object"]) { node, context in
            var fields = Fields(node, in: "the pipeline", context)
            let first = context.locationCells.count
            let inputs = fields.inputs()
            let steps = fields.optional("steps", .list(of: placedStep)) ?? []
            let share = fields.optional("share", .share) ?? ShareSettings()
            let isVolatile = fields.optional("state", .choice([("saved", false), ("volatile", true)])) ?? false
            let beforeOnError = context.locationCells.count
            let onError = fields.optional("onError", .errorHandling) ?? ErrorHandling()
            let sinks = fields.optional("to", .list(of: .sink)) ?? []
            // What starts where is looked at even if something else is wrong with the pipeline.
            _ = fields.finish()
            guard let inputs else { return nil }
            return PipelineBuilder(
                inputs: inputs, steps: steps.map(\.step), places: steps.map(\.place), replay: share.replay,
                scope: share.scope, isVolatile: isVolatile, onError: onError, sinks: sinks,
                content: node.without("to").without("onError").content + onError.policy.rawValue,
                running: Array(context.locationCells[first..<beforeOnError]))
        }
    }
}

/// What stands under `share:`.
private struct ShareSettings {
    var replay = 1
    var scope = SubjectLifetimeScope.whileConnected
}

extension FieldType where Value == ShareSettings {
    fileprivate static var share: Self {
        let expected = "a mapping such as { replay: 1, scope: whileConnected }"
        return FieldType(expected, schema: ["type": "object"]) { node, context in
            var fields = Fields(node, in: "share", context)
            var settings = ShareSettings()
            let scopes: [(String, SubjectLifetimeScope)] = [("whileConnected", .whileConnected), ("forever", .forever)]
            settings.replay = fields.optional("replay", .int(0...1_000_000)) ?? settings.replay
            settings.scope = fields.optional("scope", .choice(scopes)) ?? settings.scope
            return fields.finish() ? settings : nil
        }
    }
}
