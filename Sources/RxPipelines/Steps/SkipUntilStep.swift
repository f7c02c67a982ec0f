import RxDiagnostics
import RxEngine
import RxYAML

/// `skipUntil: NODE`: drops events until the node emits one.
struct SkipUntilStep: StepKind {
    let other: LocatedText

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.node.read(node, context).map(SkipUntilStep.init)
    }

    var nodes: [LocatedText] { [other] }

    var subscriptions: Int { 2 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let isOpen = context.cell(false, .flag)
            let bypass = RedeliveryBypass(context.memory, path: context.path)
            if isOpen.value { return bypass.leaving(bypass.entering(events)) }
            let start = context.node(other.text).do(onNext: { _ in isOpen.value = true })
            let opened = bypass.trackingResults(events).skip(until: start).do(onNext: { bypass.emit($0) })
            return bypass.leaving(opened)
        }
    }
}
