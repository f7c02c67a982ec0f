import RxEngine
import RxYAML

/// `debug`, or `debug: NAME`: records every event, error and completion with priority debug. Events pass unchanged.
struct DebugStep: StepKind {
    let name: String

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        if node.isNull { return DebugStep(name: "debug") }
        return FieldType.string("a name", example: "parsed").read(node, context).map(DebugStep.init)
    }

    var keepsValues: Bool { true }
    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        let record: @Sendable (String, String?) -> Void = { message, cause in
            context.records.write(
                Record(
                    .event, .debug, generation: context.generation(), "\(name): \(message)",
                    [.pipeline: context.pipeline, .step: "debug", .cause: cause]))
        }
        return events.do(
            onNext: { record("next \($0.value)", $0.cause) }, onError: { record("error \($0)", nil) },
            onCompleted: { record("completed", nil) }, onSubscribe: { record("subscribed", nil) },
            onDispose: { record("disposed", nil) })
    }
}
