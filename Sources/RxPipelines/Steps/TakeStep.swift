import RxDiagnostics
import RxEngine
import RxYAML

/// `take: 3`: emits the first events, at most this number, and completes. `take: { for: 10s }`: emits the events of the
/// first ten seconds, and completes.
struct TakeStep: StepKind {
    let amount: Amount

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        Amount(node, in: "take", context).map(TakeStep.init)
    }

    var passes: Int { if case .count(let count) = amount { count } else { .max } }
    var completesEarly: Bool { true }

    var keepsValues: Bool { true }

    var subscriptions: Int { if case .span = amount { 1 } else { 0 } }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        switch amount {
        case .count(0): .empty()
        case .count(let count):
            .deferred {
                let seen = context.cell(0, .count)
                return context.ending(events, .take, isOver: { seen.value == count }) { event in
                    if seen.value == count { return nil }
                    seen.value += 1
                    return event
                }
            }
        case .span(let span):
            context.later(events) { $0.take(for: span.interval, scheduler: context.scheduler) }
        }
    }
}

/// A number of events, or a time.
enum Amount: Sendable {
    case count(Int)
    case span(Duration)

    init?(_ node: YAMLNode, in step: String, _ context: ReadingContext) {
        guard node.mapping != nil else {
            let type = FieldType.int(0...1_000_000)
            if context.outline == nil, let text = node.scalar?.text.text, !node.isNull,
                (try? SystemdDuration.parse(text)) != nil, Double(text) == nil
            {
                context.report.add(
                    "expected \(type.expected), found '\(text)'; write { for: \(text) } for a time", at: node.location)
                return nil
            }
            guard let count = type.read(node, context) else { return nil }
            self = .count(count)
            return
        }
        if context.outline == nil, node.mapping?.isEmpty == true {
            context.report.add(
                "\(step) needs a number of events, such as 3, or a time, such as { for: 10s }", at: node.location)
            return nil
        }
        var fields = FieldReader(node, in: step, context)
        let span = fields.required(
            "for", .duration(.zero ... .longestInConfig), "The time, in place of a number of events")
        guard fields.finish(example: { _ in "3 or { for: 10s }" }), let span else { return nil }
        self = .span(span)
    }
}
