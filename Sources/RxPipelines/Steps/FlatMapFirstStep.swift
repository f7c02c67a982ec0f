import RxEngine
import RxYAML

/// `flatMapFirst: SOURCE`: each event makes a source, whose fields may hold templates, and its events are emitted;
/// while one runs, events make no other. See ``InnerSource``.
struct FlatMapFirstStep: StepKind {
    let source: InnerSource

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.innerSource(of: "flatMapFirst").read(node, context).map(FlatMapFirstStep.init)
    }

    var isSteady: Bool { false }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.laterUnlessBusy(events) { events, keep in
            events.flatMapFirst { event in
                keep()
                return try source.events(for: event, in: context)
            }
        }
    }
}
