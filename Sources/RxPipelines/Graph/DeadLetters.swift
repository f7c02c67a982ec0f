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

    /// Sends the event of a failure to the receiving pipelines.
    ///
    /// - Returns: whether any of them is running or starting.
    func send(_ failure: PipelineError) -> Bool {
        guard let pipeline = failure.pipeline, let letter = failure.letter else { return false }
        var isSent = false
        for name in routes.withLock({ $0[pipeline] ?? [] }) where send(letter, to: name) { isSent = true }
        return isSent
    }

    private func send(_ letter: PipelineEvent, to name: String) -> Bool {
        if held.withLock({ $0[name]?.append(letter) }) != nil { return true }
        // A pipeline that has completed receives nothing.
        let box = box(of: name)
        guard box.hasObservers else { return false }
        box.onNext(letter)
        return true
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
    /// The event with a description of the failure: `{pipeline, step | sink, place, error, value}`.
    fileprivate var letter: PipelineEvent? {
        let step = cause.withoutCheckpoints as? StepError
        guard let event = event ?? step?.event, let pipeline else { return nil }
        var value: JSON = [
            "pipeline": .string(pipeline), "error": .string(step?.message ?? "\(cause.withoutCheckpoints)"),
            "value": event.value,
        ]
        if let sink { value["sink"] = .string(sink) }
        if let step {
            value["step"] = .string(step.step)
            value["place"] = .string("\(step.location)")
        }
        return event.with(value)
    }
}
