import RxDiagnostics
import RxEngine
import RxJSON
import RxMarbles

/// Takes what a node has emitted: a value, or its completion for `nil`.
typealias ReportEmission = @Sendable (_ node: String, _ value: JSON?) -> Void

extension Plan {
    /// The part of this plan that a test needs, with the diagrams of the test in place of its inputs, and without
    /// everything outside the process.
    ///
    /// A source that is not an input is the same if it only needs a scheduler, and silent if not. No sink acts.
    ///
    /// - Parameters:
    ///   - test: the test.
    ///   - start: when the diagrams begin, in the scheduler's time.
    ///   - report: called with what the nodes emit for which the test has an expectation.
    func under(
        _ test: PlannedTest, startingAt start: Duration,
        report: @escaping ReportEmission
    ) -> Plan {
        let expected = Set(test.expect.map(\.node.text))
        let needed = nodes(neededBy: test)
        var plan = Plan()
        plan.secrets = secrets
        for input in test.inputs {
            let diagram = DiagramSource(events: input.events, values: test.values, start: start)
            plan.sources.append(Source(name: input.node.text, kindName: "test", kind: diagram, content: ""))
        }
        let inputs = Set(plan.sources.map(\.name))
        for source in sources where needed.contains(source.name) && !inputs.contains(source.name) {
            let kind = source.kind.inVirtualTime() ?? SilentSource()
            plan.sources.append(
                Source(name: source.name, kindName: source.kindName, kind: kind, content: source.content))
        }
        for var pipeline in pipelines where needed.contains(pipeline.name) && !inputs.contains(pipeline.name) {
            let name = pipeline.name
            let isExpected = expected.contains(name)
            if isExpected { pipeline.placedSteps.append(.observing(name, report)) }
            if isExpected || !pipeline.sinks.isEmpty || !needed.isDisjoint(with: pipeline.failuresTo) {
                pipeline.sinks = [.ignoring]
            }
            plan.pipelines.append(pipeline)
        }
        for source in plan.sources where expected.contains(source.name) {
            plan.pipelines.append(.observing(source.name, report))
        }
        return plan
    }

    /// The nodes with an expectation, and all from which events or failures come to these.
    private func nodes(neededBy test: PlannedTest) -> Set<String> {
        let inputs = Set(test.inputs.map(\.node.text))
        var needed = Set(test.expect.map(\.node.text))
        var count = 0
        while count != needed.count {
            count = needed.count
            for pipeline in pipelines.reversed() where !inputs.contains(pipeline.name) {
                if !needed.isDisjoint(with: pipeline.failuresTo) { needed.insert(pipeline.name) }
                if needed.contains(pipeline.name) { needed.formUnion(pipeline.dependencies) }
            }
        }
        return needed
    }
}

extension Plan.Pipeline {
    /// A pipeline that reports the events of a node.
    fileprivate static func observing(
        _ node: String, _ report: @escaping ReportEmission
    ) -> Plan.Pipeline {
        let location = SourceLocation(file: "", line: 1, column: 1)
        return Plan.Pipeline(
            // Unique, since no name in a configuration contains a '/'.
            name: "\(node)/test", inputs: InputNodes(LocatedText(node, at: location)), dependencies: [node],
            placedSteps: [.observing(node, report)], replay: 0, scope: .whileConnected, isVolatile: true,
            onError: .restart, failuresTo: [], takesFailures: false, sinks: [.ignoring], content: "", locationCells: [])
    }
}

/// A source that never emits, in place of one that needs more than a scheduler.
private struct SilentSource: SourceKind {
    var summary: String { "silent in a test" }
    func events(in context: SourceContext) -> Observable<JSON> { .never() }
}

/// A step that reports the events that pass.
private struct ObservingStep: StepKind {
    let report: @Sendable (_ value: JSON?) -> Void

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.do(
            onNext: { if !$0.isReplayed { report($0.value) } },
            onCompleted: { report(nil) })
    }
}

extension PlacedStep {
    /// A step that reports the events of a node, in place of a step of the configuration.
    static func observing(
        _ node: String, _ report: @escaping ReportEmission
    ) -> PlacedStep {
        PlacedStep(
            name: "test", kind: ObservingStep { report(node, $0) },
            locationCell: SourceLocationCell(SourceLocation(file: "", line: 1, column: 1)))
    }
}

/// A sink that does nothing with its events, in place of those of a configuration under a test.
private struct IgnoringSink: SinkKind {
    var settings: SinkSettings { SinkSettings() }
    func action(for event: PipelineEvent, in context: SinkContext) -> SinkAction { SinkAction("", .null) }
    func open(in context: SinkContext) -> any OpenSink { FinishingSink() }

    /// Finishes each event at once.
    private final class FinishingSink: OpenSink {
        func receive(_ event: PipelineEvent) -> Bool { true }
    }
}

extension PlannedSink {
    /// A sink for pipelines without one: a pipeline whose events nothing takes does not run.
    static let ignoring = PlannedSink(name: "test", kind: IgnoringSink(), content: "", locationCells: [])
}
