import RxEngine

/// An entry under `pipelines:`, before it is known what its `from` refers to.
struct PipelineDraft {
    let from: LocatedText
    let steps: [any StepKind]
    let replay: Int
    let scope: SubjectLifetimeScope
    let sinks: [(name: String, kind: any SinkKind)]
}

extension FieldType where Value == PipelineDraft {
    static var pipeline: Self {
        FieldType("a mapping with 'from' and 'to'", schema: ["type": "object"]) { node, report in
            var fields = Fields(node, in: "the pipeline", report)
            let from = fields.required("from", .text("the name of a source or a pipeline", example: "tick"))
            let steps = fields.optional("steps", .list(of: Registry.steps.type)) ?? []
            let share = fields.optional("share", .share) ?? ShareSettings()
            let sinks = fields.optional("to", .list(of: Registry.sinks.type)) ?? []
            // What starts where is looked at even if something else is wrong with the pipeline.
            _ = fields.finish()
            guard let from else { return nil }
            return PipelineDraft(
                from: from, steps: steps.map(\.kind), replay: share.replay, scope: share.scope, sinks: sinks)
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
        return FieldType(expected, schema: ["type": "object"]) { node, report in
            var fields = Fields(node, in: "share", report)
            var settings = ShareSettings()
            let scopes: [(String, SubjectLifetimeScope)] = [("whileConnected", .whileConnected), ("forever", .forever)]
            settings.replay = fields.optional("replay", .int(0...1_000_000)) ?? settings.replay
            settings.scope = fields.optional("scope", .choice(scopes)) ?? settings.scope
            return fields.finish() ? settings : nil
        }
    }
}
