import RxDiagnostics
import RxEngine
import RxLinux
import RxYAML

extension Plan {
    /// Reads the configuration under `root`, or throws all of its errors and those that are in the report already.
    static func read(_ root: YAMLNode, _ context: ReadingContext) throws(Diagnostics) -> Plan {
        let report = context.report
        var fields = FieldReader(root, in: "the configuration", context)
        let daemon = fields.optional("daemon", .daemon, "Settings of the daemon itself")
        let sources =
            fields.optional(
                "sources", .map(of: .source, names: NodeNames.pattern), "Where events come from, by a name for each")
            ?? []
        let pipelines =
            fields.optional(
                "pipelines", .map(of: .pipeline, names: NodeNames.pattern),
                "What is done with the events, by a name for each") ?? []
        let tests =
            fields.optional("tests", .map(of: .test), "Marble diagrams of what pipelines must emit") ?? []
        _ = fields.finish()
        report.add(context.expressions.compile())

        var names = NodeNames()
        // The names of entries that could not be read are declared, too: a reference to one is not a second error.
        for key in ["sources", "pipelines"] {
            for pair in root[key]?.mapping ?? [] { names.declare(pair.key, at: pair.keyLocation, report) }
        }
        for pipeline in pipelines {
            for reference in pipeline.value.references { names.check(reference, report) }
            for name in pipeline.value.onError.pipelines { names.check(name, report) }
        }
        for test in tests {
            for reference in test.value.references { names.check(reference, report) }
            for (name, _) in test.value.results {
                let pipeline = pipelines.first { $0.name == name.text }?.value
                guard let pipeline, !pipeline.steps.contains(where: \.kind.startsSources) else { continue }
                report.add(
                    "no step of pipeline '\(name.text)' starts a source, so it takes no results; remove this",
                    at: name.location)
            }
        }
        let builders = pipelines.filter { names.isFirst($0.name, at: $0.location) }.map { ($0.name, $0.value) }
        let order = PipelineOrder(builders, report).sorted()
        if report.isEmpty, order.isEmpty {
            report.add(
                "the configuration has no pipeline; add one under 'pipelines:'",
                at: SourceLocation(file: root.location.file, line: 1, column: 1))
        }
        if report.isEmpty { DeadLetterCheck(order.map { ($0.name, $0.builder) }, report).check() }
        PaceCheck(sources.map { ($0.name, $0.value.kind) }, order, report).check()
        MemberCheck(sources.map { ($0.name, $0.value.kind) }, order, report).check()
        InFlightCheck(sources.map { ($0.name, $0.value.kind) }, order, report).check()
        try report.throwIfAny()

        var plan = Plan()
        plan.resourcesEvery = daemon?.resources ?? plan.resourcesEvery
        plan.drainWithin = daemon?.drain ?? plan.drainWithin
        plan.page = daemon?.page
        plan.tests = tests.map { ($0.name, $0.location, $0.value) }
        plan.sources = sources.map { name, _, source in
            Source(name: name, kindName: source.name, kind: source.kind, content: source.content, paths: source.paths)
        }
        let targets = Set(order.flatMap { $0.builder.onError.pipelines.map(\.text) })
        plan.pipelines = order.flatMap { name, builder in
            [Pipeline(name, builder, takesFailures: targets.contains(name))]
                + (builder.onError.sinks.isEmpty ? [] : [Pipeline(takingFailuresOf: name, builder)])
        }
        return plan
    }
}

extension Plan.Pipeline {
    fileprivate init(_ name: String, _ builder: PipelineBuilder, takesFailures: Bool) {
        let own = builder.onError.sinks.isEmpty ? [] : [Self.failures(of: name)]
        self.init(
            name: name, inputs: builder.inputs, dependencies: builder.references.map(\.text).withoutRepetitions,
            placedSteps: builder.steps, replay: builder.replay, scope: builder.scope,
            isVolatile: builder.isVolatile,
            onError: builder.onError.policy, failuresTo: own + builder.onError.pipelines.map(\.text),
            takesFailures: takesFailures, sinks: builder.sinks,
            content: builder.content + (takesFailures ? " and failures" : ""), locationCells: builder.running,
            paths: builder.paths)
    }

    /// The pipeline of the sinks under another pipeline's `onError:`.
    fileprivate init(takingFailuresOf name: String, _ builder: PipelineBuilder) {
        self.init(
            name: Self.failures(of: name), inputs: InputNodes(combination: nil, members: []), dependencies: [],
            placedSteps: [],
            replay: 0,
            scope: .whileConnected, isVolatile: false, onError: .restart, failuresTo: [], takesFailures: true,
            sinks: builder.onError.sinks, content: "", locationCells: [])
    }

    /// The name of the pipeline for the sinks under `onError:`. Unique, since no name in a configuration contains a '/'.
    private static func failures(of name: String) -> String { "\(name)/onError" }

    /// Whether a name is that of a pipeline for the sinks under `onError:`.
    static func isForFailures(_ name: String) -> Bool { name.contains("/") }
}

/// The value of `daemon:`.
private struct DaemonSettings {
    var resources: Duration?
    var drain: Duration?
    var page: WebAddress?
}

extension FieldType where Value == DaemonSettings {
    fileprivate static var daemon: Self {
        FieldType("a mapping", schema: ["type": "object"]) { node, context in
            if node.isNull { return DaemonSettings() }
            var fields = FieldReader(node, in: "daemon", context)
            let settings = DaemonSettings(
                resources: fields.optional(
                    "resources", .duration(.milliseconds(10) ... .seconds(86_400)),
                    "How often the numbers of live objects are recorded; default: 30s"),
                drain: fields.optional(
                    "drain", .duration(.zero ... .seconds(3_600)),
                    "How long unfinished work may take when the daemon stops or reloads; default: 5s"),
                page: fields.optional(
                    "page", .webAddress,
                    "Where the status page is served over HTTP: an address and a port, or a unix socket; default: nowhere"
                ))
            return fields.finish() ? settings : nil
        }
    }
}

extension FieldType where Value == WebAddress {
    /// Where a web server listens.
    fileprivate static var webAddress: Self {
        let expected = "an address such as 127.0.0.1:9476 or [::1]:9476, or the absolute path of a unix socket"
        let text = FieldType<String>.string("an address", example: "127.0.0.1:9476", pattern: ".")
        return FieldType(expected, schema: text.schema) { node, context in
            guard let written = text.read(node, context) else { return nil }
            if let address = WebAddress(written) { return address }
            context.report.add(
                "'\(written.shortened)' is not \(expected); the address is a number, not a name, and the port is at most 65535",
                at: node.location)
            return nil
        }
    }
}

extension FieldType where Value == (name: String, kind: any SourceKind, content: String, paths: [ConfiguredPath]) {
    /// An entry under `sources:`.
    fileprivate static var source: Self {
        let kinds = Registry.sources.type
        return FieldType(kinds.expected, schema: kinds.schema) { node, context in
            let (found, collected) = context.collecting { kinds.read(node, context) }
            return found.map { ($0.name, $0.kind, SourceSettings.identity(of: node), collected.usedPaths) }
        }
    }
}
