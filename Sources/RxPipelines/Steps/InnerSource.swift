import RxEngine

/// A source that an event makes: `{ http: { url: "http://api.example{{.path}}" } }`.
///
/// Any text in it may be a template. One whose period is left out tells once. With `map: EXPRESSION` beside the source its
/// events become what the expression makes of them and of `$outer`, the value of the event that made it. They keep that
/// event's cause.
struct InnerSource: Sendable {
    private let step: String
    private let form: Form
    private let selector: Expression?
    private let location: SourceLocation

    /// What is made of an event.
    private enum Form: Sendable {
        /// Always the same.
        case fixed(any SourceKind)
        case made(TemplatedNode)
    }

    /// Reads the source of the step called `step`; `nil` after reporting what is wrong with it.
    init?(_ node: YAMLNode, of step: String, _ report: Report) {
        self.step = step
        location = node.location
        var source = node
        if let pairs = node.mapping {
            selector = pairs.first { $0.key == "map" }.flatMap {
                Expression($0.value, of: step, example: "'{path: $outer.path, ok}'", binding: ["outer"], report)
            }
            source.value = .mapping(pairs.filter { $0.key != "map" })
        } else {
            selector = nil
        }
        let count = report.count
        let templated = TemplatedNode(source, report)
        guard report.count == count else { return nil }
        // What templates will give is not known yet: of these places nothing is said.
        let findings = Report()
        let read = Registry.sources.type.read(source, findings)
        for finding in findings.all.list where !templated.places.contains(finding.location) { report.add(finding) }
        guard report.count == count else { return nil }
        if templated.places.isEmpty {
            guard let read else { return nil }
            form = .fixed(read.kind)
        } else {
            form = .made(templated)
        }
    }

    /// The events of the source that `event` makes.
    func events(for event: PipelineEvent, in surroundings: StepSurroundings) throws -> Observable<PipelineEvent> {
        let around = SourceSurroundings(scheduler: surroundings.scheduler, host: surroundings.host, armed: {})
        return try kind(for: event).events(in: around)
            .map { value in
                guard let selector else { return event.with(value) }
                return event.with(try selector.first(event.with(value), ["outer": event.value]) ?? .null)
            }
            .charged(to: surroundings.account)
    }

    private func kind(for event: PipelineEvent) throws(StepError) -> any SourceKind {
        switch form {
        case .fixed(let kind): return kind
        case .made(let templated):
            let report = Report()
            do throws(JQError) {
                let node = try templated.render(event.value, ["event": event.binding])
                if let read = Registry.sources.type.read(node, report) { return read.kind }
            } catch {
                throw StepError(step: step, location: location, cause: event.cause, message: error.message)
            }
            let first = report.all.list.first
            throw StepError(
                step: step, location: first?.location ?? location, cause: event.cause,
                message: first?.message ?? "this is no source")
        }
    }
}
