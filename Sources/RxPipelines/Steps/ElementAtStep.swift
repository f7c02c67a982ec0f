import RxDiagnostics
import RxEngine
import RxYAML

/// `elementAt: 3`: emits the event with this index, counted from 0, and completes. Fails if the source completes
/// before.
struct ElementAtStep: StepKind {
    let index: Int
    let locationCell: SourceLocationCell

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.int(0...1_000_000).read(node, context).map {
            ElementAtStep(index: $0, locationCell: context.locationCell(at: node.location))
        }
    }

    var completesEarly: Bool { true }

    var subscriptions: Int { 2 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let seen = context.cell(0, .count)
            return context.ending(events, .elementAt, isOver: { seen.value > index }) { event in
                if seen.value > index { return nil }
                seen.value += 1
                return seen.value > index ? event : nil
            }
            .ifEmpty(switchTo: .deferred { seen.value > index ? .empty() : .error(RxError.argumentOutOfRange) })
            .failing(as: "elementAt", at: locationCell, "completed before event \(index)")
        }
    }
}
