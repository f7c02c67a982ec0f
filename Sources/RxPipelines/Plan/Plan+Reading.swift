import RxEngine

extension Plan {
    /// Reads the config in `bytes`, or throws everything that is wrong with it.
    package static func read(_ bytes: some Collection<UInt8>, file: String) throws(Diagnostics) -> Plan {
        let root = try YAMLReader.read(bytes, file: file)
        let report = Report()
        report.know(SourceText(file: file, text: String(decoding: bytes, as: UTF8.self)))
        var fields = Fields(root, in: "the config", report)
        let daemon = fields.optional("daemon", .daemon)
        let sources = fields.optional("sources", .map(of: Registry.sources.type)) ?? []
        let pipelines = fields.optional("pipelines", .map(of: .pipeline)) ?? []
        _ = fields.finish()

        var names = NodeNames()
        for source in sources { names.declare(source.name, at: source.location, report) }
        for pipeline in pipelines { names.declare(pipeline.name, at: pipeline.location, report) }
        // Names that could not be read are known all the same, so that what refers to them is no second mistake.
        for key in ["sources", "pipelines"] { root[key]?.mapping?.forEach { names.know($0.key) } }
        for pipeline in pipelines { names.check(pipeline.value.from, report) }
        try report.throwIfAny()

        var plan = Plan()
        plan.resourcesEvery = daemon?.resources ?? plan.resourcesEvery
        plan.drainWithin = daemon?.drain ?? plan.drainWithin
        plan.sources = sources.map { Source(name: $0.name, kindName: $0.value.name, kind: $0.value.kind) }
        plan.pipelines = try PipelineOrder(pipelines.map { ($0.name, $0.value) }, report).sorted()
            .map { name, draft in
                Pipeline(
                    name: name, from: draft.from.text, steps: draft.steps, replay: draft.replay, scope: draft.scope,
                    sinks: draft.sinks)
            }
        return plan
    }
}

/// What stands under `daemon:`.
private struct DaemonSettings {
    var resources: Duration?
    var drain: Duration?
}

extension FieldType where Value == DaemonSettings {
    fileprivate static var daemon: Self {
        FieldType("a mapping", schema: ["type": "object"]) { node, report in
            var fields = Fields(node, in: "daemon", report)
            let settings = DaemonSettings(
                resources: fields.optional("resources", .duration), drain: fields.optional("drain", .duration))
            guard fields.finish() else { return nil }
            if let resources = settings.resources, resources <= .zero {
                let place = fields.location(of: "resources")
                report.add("'resources' is a time between two records, such as 30s", at: place)
                return nil
            }
            return settings
        }
    }
}
