import RxEngine
import RxJQ
import RxYAML

/// `enumerated`: adds the index of each event, counted from 0: `{index, value}`.
struct EnumeratedStep: StepKind {
    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any StepKind)? {
        guard node.isNull else { return context.report.wrong(node, "nothing: enumerated has no settings") }
        return EnumeratedStep()
    }

    var keepsPace: Bool { true }

    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        .deferred {
            let next = context.cell(0, .count)
            return events.compactMap(countedAs: .enumerated) { event in
                context.once(event) {
                    let index = next.update { next in
                        defer { next += 1 }
                        return next
                    }
                    return event.with(["index": JQValue(.number(Double(index))), "value": event.content])
                }
            }
        }
    }
}
