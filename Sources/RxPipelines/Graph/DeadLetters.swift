import RxEngine

/// Where events go that a step or a sink has failed on: to the pipelines that `onError: { to: … }` names. All graphs that
/// follow one another have the same.
final class DeadLetters: Sendable {
    /// By the name of the pipeline that takes them.
    private let boxes = Locked<[String: PublishSubject<PipelineEvent>]>([:])
    /// By the name of the pipeline that fails, those that take what it fails on.
    private let routes = Locked<[String: [String]]>([:])

    /// What fails from now on goes where this plan says.
    func follow(_ plan: [Plan.Pipeline]) {
        let routes = Dictionary(plan.map { ($0.name, $0.failuresTo) }) { first, _ in first }
        self.routes.withLock { $0 = routes }
    }

    /// What this pipeline is sent.
    func events(to name: String) -> Observable<PipelineEvent> {
        box(of: name).asObservable()
    }

    /// Sends an event on that a pipeline has failed on.
    ///
    /// - Returns: whether anyone is to get it.
    func send(_ failure: PipelineError) -> Bool {
        guard let pipeline = failure.pipeline, let letter = failure.letter else { return false }
        // One that has ended takes nothing.
        let boxes = routes.withLock { $0[pipeline] ?? [] }.map(box).filter(\.hasObservers)
        for box in boxes { box.onNext(letter) }
        return !boxes.isEmpty
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
    /// The event that it is about, with what went wrong: `{pipeline, step | sink, place, error, value}`.
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
