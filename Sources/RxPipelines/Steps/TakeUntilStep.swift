import RxEngine

/// `takeUntil: NODE`: events until the node tells one, and then the end.
struct TakeUntilStep: StepKind {
    let other: LocatedText

    static func read(_ node: YAMLNode, _ report: Report) -> (any StepKind)? {
        FieldType.node.read(node, report).map(TakeUntilStep.init)
    }

    var nodes: [LocatedText] { [other] }

    func apply(to events: Observable<PipelineEvent>, in surroundings: StepSurroundings) -> Observable<PipelineEvent> {
        .deferred {
            let isOver = surroundings.cell(false, .flag)
            let end = surroundings.node(other.text).filter { !surroundings.isRestoring($0) }
                .do(onNext: { _ in isOver.value = true })
            return events.ending(.takeUntil) { event in
                // After a restart, events that were let through before may come again.
                let taken = surroundings.once(event) { isOver.value ? nil : event }
                return (taken, isOver.value && !surroundings.isRecalling(event))
            }
            .take(until: end)
        }
    }
}
