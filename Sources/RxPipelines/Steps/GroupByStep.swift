import RxDiagnostics
import RxEngine
import RxYAML

/// `groupBy: { key: .path, steps: [debounce: 1s] }`: puts the events of each key through steps of their own. A group
/// lives for as long as the pipeline does.
struct GroupByStep: StepKind {
    let key: Expression
    let steps: [any StepKind]

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        var fields = Fields(node, in: "groupBy", context)
        let key = fields.required("key", .expression(of: "groupBy", example: "'.path'"))
        let steps = fields.required("steps", .list(of: Registry.steps.type))
        guard fields.finish(), let key, let steps else { return nil }
        return GroupByStep(key: key, steps: steps.map(\.kind))
    }

    var nodes: [LocatedText] { steps.flatMap(\.nodes) }

    var isSteady: Bool { false }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        events.keyed(by: key, in: context)
            .groupBy { $0.key }
            .flatMap { group in
                steps.apply(to: group.map(\.event), in: context.inside("\(group.key)"))
                    .charged(to: context.account)
            }
    }
}
