import RxDiagnostics
import RxEngine
import RxYAML

/// `single`, or `single: EXPRESSION`: emits the only event, or the only one for which the expression is neither false
/// nor null. Fails on each further one, and on completion without one.
struct SingleStep: StepKind {
    let expression: Expression?
    let locationCell: SourceLocationCell

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        if node.isNull { return SingleStep(expression: nil, locationCell: context.locationCell(at: node.location)) }
        guard let expression = Expression(node, of: "single", example: "'.ok'", isCondition: true, context) else {
            return nil
        }
        return SingleStep(expression: expression, locationCell: context.locationCell(at: node.location))
    }

    var subscriptions: Int { 2 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        let matching =
            expression.map { events.keyed(by: $0, in: context).filter(\.key.isTruthy).map(\.event) } ?? events
        return .deferred {
            let isFound = context.cell(false, .flag)
            return matching.compactMap(countedAs: .single) { event in
                try context.attemptOnce(event) {
                    if isFound.value {
                        throw StepError(
                            step: "single", location: locationCell.location, event: event,
                            message: "a second event arrived")
                    }
                    isFound.value = true
                    return event
                }
            }
            .ifEmpty(switchTo: .deferred { isFound.value ? .empty() : .error(RxError.noElements) })
            .failing(as: "single", at: locationCell, "completed without an event")
        }
    }
}
