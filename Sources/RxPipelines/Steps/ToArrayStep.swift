import RxDiagnostics
import RxEngine
import RxYAML

/// `toArray`: emits one list of all values, on completion.
struct ToArrayStep: StepKind {
    let locationCell: SourceLocationCell

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: toArray has no settings") }
        return ToArrayStep(locationCell: context.locationCell(at: node.location))
    }

    var holds: Int { .max }

    var makesLists: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let (events, isEmpty) = context.detectingEmpty(context.collecting(events, of: "toArray", at: locationCell))
            return events.toArray().asObservable().compactMap { !$0.isEmpty || isEmpty() ? context.list($0) : nil }
        }
    }
}
