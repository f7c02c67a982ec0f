import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON
import RxYAML
import Synchronization

/// An inner source, which a step starts for an outer event: `{ http: { url: "http://api.example{{.path}}" } }`.
///
/// Any text in it may be a template. Without a period it emits once. With `map: EXPRESSION` beside the source, the
/// expression makes the values of its events, given their values and `$outer`, the value of the outer event. The events
/// keep the cause of the outer event. With `retry: { times: 3, delay: 1s }` the source runs again if it, or that
/// expression, fails.
struct InnerSource: Sendable {
    private let step: String
    private let form: Form
    private let selector: Expression?
    private let retry: RetryPolicy?
    private let locationCell: SourceLocationCell

    /// Whether every event gets the same source, or one made from its value.
    private enum Form: Sendable {
        /// A source without templates.
        case fixed(any SourceKind)
        /// A source with templates, which is read again for each event, and the location of each of its nodes.
        case templated(TemplatedNode, [SourceLocation: SourceLocationCell])
    }

    /// The keys beside a source.
    private static let keys = ["map", "retry"]

    /// The type of the expression under `map`.
    static func selector(of step: String) -> FieldType<Expression> {
        .expression(of: step, example: "'{path: $outer.path, ok}'", binding: ["outer"])
    }

    /// Reads the inner source of the step named `step`; `nil` after reporting an error.
    init?(_ node: YAMLNode, of step: String, _ context: ReadingContext) {
        self.step = step
        locationCell = context.locationCell(at: node.location)
        var source = node
        if let pairs = node.mapping {
            selector = pairs.first { $0.key == "map" }.flatMap { Self.selector(of: step).read($0.value, context) }
            retry = pairs.first { $0.key == "retry" }.flatMap { FieldType.retryPolicy.read($0.value, context) }
            source.value = .mapping(pairs.filter { !Self.keys.contains($0.key) })
        } else {
            selector = nil
            retry = nil
        }
        let count = context.report.count
        let templated = TemplatedNode(source, context)
        guard context.report.count == count else { return nil }
        // The values of templates are not known yet, so that errors at their locations are not reported.
        let findings = ReadingContext(innerSourceWith: templated.locations)
        let read = Registry.sources.type.read(source, findings)
        if findings.report.secrets.mayGrow { context.report.secrets.mayGrow = true }
        for finding in findings.report.all.list where !templated.locations.contains(finding.location) {
            context.report.add(finding)
        }
        guard context.report.count == count else { return nil }
        for notice in findings.report.notices { context.report.notice(notice.message, at: notice.location) }
        // Without the paths that templates make.
        for used in findings.collected.usedPaths where !used.isTemplate || used.commandLine != nil {
            context.note(used)
        }
        if templated.locations.isEmpty {
            guard let read else { return nil }
            form = .fixed(read.kind)
        } else {
            let locationCells = source.locations.map { ($0, context.locationCell(at: $0)) }
            form = .templated(templated, Dictionary(locationCells) { _, last in last })
        }
    }

    /// The events of the source for an outer event, with credentials redacted. A failure concerns only the outer event.
    /// A replayed event starts no source, since a source may be an action that has happened before.
    func events(for event: PipelineEvent, in context: StepContext) throws -> Observable<PipelineEvent> {
        if event.isReplayed { return .empty() }
        guard let made = try context.attempt(event, { try run(for: event, in: context) }) else {
            return .empty()
        }
        guard let drop = context.drop else { return made }
        return made.catch { error in
            drop(error, event)
            return .empty()
        }
    }

    private func run(for event: PipelineEvent, in context: StepContext) throws -> Observable<PipelineEvent> {
        var sourceContext = SourceContext(
            name: event.source, scheduler: context.scheduler, host: context.host, armed: {})
        sourceContext.outer = (event, context.pipeline, context.path)
        let kind = try kind(for: event, context.secrets, context.arena.client).hiding(context.secrets)
        let parts = kind.isEndless ? InnerEventNumbers(on: context.scheduler) : nil
        let values = context.host.innerEvents(kind, sourceContext)
        let made = (kind.isEndless ? droppingWithoutMemory(values, of: event, in: context) : values)
            .map { value in
                let event = parts?.next(of: event) ?? event
                let inner = event.with(value, memory: kind.hasLargeValues ? value.memory : 0)
                guard let selector else { return inner }
                let output = try selector.first(inner, ["outer": event.content], in: context)
                return event.with(output ?? .null)
            }
            .retried(by: retry, on: context.scheduler)
            .charged(to: context.account)
        // Endless sources are not counted: a stop of the daemon does not wait for them.
        return kind.isEndless ? made : made.counted(by: context.innerSources)
    }

    /// Drops the values of an endless source, which does not wait, while the outer event and others of its source, and
    /// what was made of them, use all the memory that they may. One value at a time goes on, in any case. The first drop is
    /// recorded.
    private func droppingWithoutMemory(
        _ values: Observable<JSON>, of event: PipelineEvent, in context: StepContext
    ) -> Observable<JSON> {
        let isRecorded = Atomic(false)
        return values.filter { _ in
            guard event.delivery?.hasSource(where: \.isAtMemoryLimitWithMadeValues) == true else { return true }
            if !isRecorded.exchange(true, ordering: .relaxed) {
                context.records.write(
                    Record(
                        .event, .warning, generation: context.generation(),
                        "\(step): values of its source are dropped, since the events that wait use all the memory that they "
                            + "may",
                        [.pipeline: context.pipeline, .step: step]))
            }
            return false
        }
    }

    private func kind(
        for event: PipelineEvent, _ secrets: Secrets, _ client: JQClient
    ) throws(StepError) -> any SourceKind {
        func failure(_ message: String, at location: SourceLocation) -> StepError {
            StepError(step: step, location: location, event: event, message: secrets.redacted(message))
        }
        switch form {
        case .fixed(let kind): return kind
        case .templated(let templated, let locationCells):
            let context = ReadingContext(innerSourceWith: [])
            context.report.secrets = secrets
            do throws(TemplateError) {
                let node = try templated.render(event, for: client)
                if let read = Registry.sources.type.read(node, context) { return read.kind }
            } catch {
                throw failure(error.message, at: error.location)
            }
            let first = context.report.all.list.first
            let location = first.flatMap { locationCells[$0.location]?.location } ?? locationCell.location
            throw failure(first?.message ?? "this is not a source", at: location)
        }
    }
}

extension FieldType where Value == InnerSource {
    /// The inner source of the step named `step`.
    static func innerSource(of step: String) -> Self {
        FieldType("a source, in which texts may be templates", schema: Schema.innerSource) { node, context in
            InnerSource(node, of: step, context)
        }
    }
}
