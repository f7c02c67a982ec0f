import RxEngine
import RxYAML

/// `flatMapFirst: SOURCE`: starts an inner source for an event and emits its events; drops the events that arrive while
/// one is running. See ``InnerSource``.
struct FlatMapFirstStep: StepKind {
    let source: InnerSource

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        FieldType.innerSource(of: "flatMapFirst").read(node, context).map(FlatMapFirstStep.init)
    }

    var startsSources: Bool { true }
    var isSteady: Bool { false }
    var subscriptions: Int { 1 }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        context.laterUnlessBusy(events) { events, deferResult in
            events.flatMapFirst { event in
                deferResult()
                return try source.events(for: event, in: context)
            }
        }
    }
}
