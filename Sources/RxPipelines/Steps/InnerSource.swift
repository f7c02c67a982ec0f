import RxDiagnostics
import RxEngine
import RxYAML

/// A source that an event makes: `{ http: { url: "http://api.example{{.path}}" } }`.
///
/// Any text in it may be a template. One whose period is left out emits once. With `map: EXPRESSION` beside the source
/// its events become what the expression makes of them and of `$outer`, the value of the event that made it. They keep
/// that event's cause. With `retry: { times: 3, delay: 1s }` it runs again where it, or that expression, fails.
struct InnerSource: Sendable {
    private let step: String
    private let form: Form
    private let selector: Expression?
    private let retry: RetryPolicy?
    private let place: SourceLocationCell

    /// What is made of an event.
    private enum Form: Sendable {
        /// Always the same.
        case fixed(any SourceKind)
        /// Whatever templates make of it; with where each part of it stands.
        case made(TemplatedNode, [SourceLocation: SourceLocationCell])
    }

    /// What stands beside a source.
    private static let keys = ["map", "retry"]

    /// The expression beside a source.
    static func selector(of step: String) -> FieldType<Expression> {
        .expression(of: step, example: "'{path: $outer.path, ok}'", binding: ["outer"])
    }

    /// Reads the source of the step called `step`; `nil` after reporting what is wrong with it.
    init?(_ node: YAMLNode, of step: String, _ context: ReadingContext) {
        self.step = step
        place = context.locationCell(at: node.location)
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
        // What templates will give is not known yet: of these places nothing is said.
        let findings = ReadingContext(innerSourceWith: templated.places)
        let read = Registry.sources.type.read(source, findings)
        for finding in findings.report.all.list where !templated.places.contains(finding.location) {
            context.report.add(finding)
        }
        guard context.report.count == count else { return nil }
        if templated.places.isEmpty {
            guard let read else { return nil }
            form = .fixed(read.kind)
        } else {
            let places = source.locations.map { ($0, context.locationCell(at: $0)) }
            form = .made(templated, Dictionary(places) { _, last in last })
        }
    }

    /// The events of the source that `event` makes, which show no credential. A failure concerns that event alone. A
    /// replayed event makes none: a source may act, and has done so.
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
        var around = SourceContext(
            name: event.source, scheduler: context.scheduler, host: context.host, armed: {})
        around.maker = (event, context.pipeline, context.path)
        let kind = try kind(for: event, context.secrets).hiding(context.secrets)
        let parts = kind.isEndless ? InnerEventNumbers(on: context.scheduler) : nil
        let made = kind.events(in: around)
            .map { value in
                let event = parts?.next(of: event) ?? event
                guard let selector else { return event.with(value) }
                let output = try selector.first(event.with(value), ["outer": event.content], in: context)
                return event.with(output ?? .null)
            }
            .retried(by: retry, on: context.scheduler)
            .charged(to: context.account)
        // Nobody waits for one that does not end by itself.
        return kind.isEndless ? made : made.counted(by: context.innerSources)
    }

    private func kind(for event: PipelineEvent, _ secrets: Secrets) throws(StepError) -> any SourceKind {
        func failure(_ message: String, at location: SourceLocation) -> StepError {
            StepError(step: step, location: location, event: event, message: secrets.redacted(message))
        }
        switch form {
        case .fixed(let kind): return kind
        case .made(let templated, let places):
            let context = ReadingContext(innerSourceWith: [])
            do throws(TemplateError) {
                let node = try templated.render(event)
                if let read = Registry.sources.type.read(node, context) { return read.kind }
            } catch {
                throw failure(error.message, at: error.location)
            }
            let first = context.report.all.list.first
            let location = first.flatMap { places[$0.location]?.location } ?? place.location
            throw failure(first?.message ?? "this is no source", at: location)
        }
    }
}

extension FieldType where Value == InnerSource {
    /// The source of the step called `step`.
    static func innerSource(of step: String) -> Self {
        FieldType("a source, in which texts may be templates", schema: Schema.innerSource) { node, context in
            InnerSource(node, of: step, context)
        }
    }
}
