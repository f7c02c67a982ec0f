import RxEngine
import RxJSON

/// Routes events that a step or a sink failed on to the pipelines that `onError: { to: … }` names. Shared by all
/// generations of the graph.
final class DeadLetters: Sendable {
    /// By the name of the receiving pipeline.
    private let boxes = Locked<[String: PublishSubject<PipelineEvent>]>([:])
    /// The receiving pipelines, by the name of the failing one.
    private let routes = Locked<[String: [String]]>([:])
    /// Events for pipelines that have not subscribed yet, but will.
    private let held = Locked<[String: [PipelineEvent]]>([:])

    /// Uses these routes from now on.
    ///
    /// - Parameter starting: the pipelines that are about to start. What is sent to them before they subscribe is held.
    func use(_ routes: [String: [String]], starting: Set<String>) {
        held.withLock { held in
            for name in starting.intersection(routes.values.joined()) where held[name] == nil { held[name] = [] }
        }
        self.routes.withLock { $0 = routes }
    }

    /// These pipelines have started. What is held for others of them, that nobody subscribes to, is dropped.
    func started(_ names: [String]) {
        let left = held.withLock { held in names.map { held.removeValue(forKey: $0) } }
        withExtendedLifetime(left) {}
    }

    /// The events that are sent to this pipeline.
    func events(to name: String) -> Observable<PipelineEvent> {
        .merge(
            box(of: name).asObservable(),
            .deferred { .from(self.held.withLock { $0.removeValue(forKey: name) } ?? []) })
    }

    /// Whether failed events of the pipeline go to others.
    func hasRoute(from pipeline: String) -> Bool { routes.withLock { $0[pipeline]?.isEmpty == false } }

    /// Sends an event to the receiving pipelines that are running or starting.
    ///
    /// - Parameter failure: the description of the failure.
    func send(_ failure: JSON, of event: PipelineEvent, from pipeline: String) {
        var value = failure
        value["value"] = event.value
        let letter = event.with(value)
        for name in routes.withLock({ $0[pipeline] ?? [] }) { send(letter, to: name) }
    }

    private func send(_ letter: PipelineEvent, to name: String) {
        if held.withLock({ $0[name]?.append(letter) }) == nil { box(of: name).onNext(letter) }
    }

    private func box(of name: String) -> PublishSubject<PipelineEvent> {
        boxes.withLock { boxes in
            if let box = boxes[name] { return box }
            let box = PublishSubject<PipelineEvent>()
            boxes[name] = box
            return box
        }
    }
}

extension PipelineError {
    /// The event that a step or a sink failed on.
    var failedEvent: PipelineEvent? { event ?? stepError?.event }

    /// The description of the failure of an event, without its value: `{pipeline, step | sink, place, error, value: null}`.
    func description(in pipeline: String) -> JSON? {
        guard failedEvent != nil else { return nil }
        var value: JSON = [
            "pipeline": .string(pipeline), "error": .string(stepError?.message ?? "\(cause.withoutCheckpoints)"),
            "value": .null,
        ]
        if let sink { value["sink"] = .string(sink) }
        if let stepError {
            value["step"] = .string(stepError.step)
            value["place"] = .string("\(stepError.location)")
        }
        return value
    }

    private var stepError: StepError? { cause.withoutCheckpoints as? StepError }
}
