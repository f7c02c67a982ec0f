import RxDiagnostics
import RxEngine
import RxYAML

/// `takeLast: 3`: emits the last events, at most this number, on completion.
struct TakeLastStep: StepKind {
    let count: Int
    let locationCell: SourceLocationCell

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.int(0...1_000_000).read(node, context).map {
            TakeLastStep(count: $0, locationCell: context.locationCell(at: node.location))
        }
    }

    var holds: Int { count }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.collecting(events, last: count, of: "takeLast", at: locationCell).takeLast(count)
    }
}
