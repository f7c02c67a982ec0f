import RxDiagnostics
import RxEngine
import RxYAML

/// `takeUntil: NODE`: emits events until the node emits one, and completes.
struct TakeUntilStep: StepKind {
    let other: LocatedText

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.node.read(node, context).map(TakeUntilStep.init)
    }

    var nodes: [LocatedText] { [other] }
    var completesEarly: Bool { true }

    var subscriptions: Int { 2 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let isOver = context.cell(false, .flag)
            let end = context.node(other.text).droppingRestoredReplays(context.memory)
                .do(onNext: { _ in isOver.value = true })
            return context.ending(events, .takeUntil, isOver: { isOver.value }) { isOver.value ? nil : $0 }
                .take(until: end)
        }
    }
}
