import RxEngine
import RxJSON

/// Routes events that a step or a sink failed on to the pipelines that `onError: { to: … }` names. Shared by all
/// generations of the graph.
final class DeadLetterRouter: Sendable {
    /// Subjects that notify the receiving pipelines of queued events, by the pipelines' names.
    private let signals = Locked<[String: PublishSubject<Void>]>([:])
    /// The receiving pipelines, by the name of the failing pipeline.
    private let routes = Locked<[String: [String]]>([:])
    private let queues = Locked(State())

    /// The failed events that wait for pipelines to subscribe to `onError`.
    private struct State {
        /// The queued events of each receiving pipeline. A pipeline that replaces it takes the rest.
        var waiting: [String: [PipelineEvent]] = [:]
        /// The pipelines that are about to subscribe.
        var starting: Set<String> = []
    }
    /// The account of the signals, which outlive the pipelines that ask for them first.
    private let account = Resources.Account("onError")

    /// Replaces the routes.
    ///
    /// - Parameters:
    ///   - routes: the receiving pipelines, by the name of the failing pipeline.
    ///   - starting: the pipelines that are about to start. Events that are sent to them before they subscribe are
    ///     queued.
    func use(_ routes: [String: [String]], starting: Set<String>) {
        queues.withLock { $0.starting.formUnion(starting.intersection(routes.values.joined())) }
        self.routes.withLock { $0 = routes }
    }

    /// Marks pipelines as started. Queued events of those without a subscription are dropped.
    func started(_ names: [String]) {
        queues.withLock { $0.starting.subtract(names) }
        for name in names { dropIfAbandoned(name) }
    }

    /// The events that are sent to this pipeline, on its scheduler.
    func events(to name: String, on scheduler: any SchedulerType) -> Observable<PipelineEvent> {
        signal(of: name).startWith(()).observe(on: scheduler)
            .concatMap { Observable.from(self.take(name)) }
            .do(onDispose: { scheduler.perform { self.dropIfAbandoned(name) } })
    }

    private func take(_ name: String) -> [PipelineEvent] {
        queues.withLock { $0.waiting.removeValue(forKey: name) } ?? []
    }

    /// Drops the queued events of a pipeline that neither has subscribed nor is about to.
    private func dropIfAbandoned(_ name: String) {
        let isSubscribed = signals.withLock { $0[name] }?.hasObservers ?? false
        if isSubscribed || queues.withLock({ $0.starting.contains(name) }) { return }
        withExtendedLifetime(take(name)) {}
    }

    /// Whether failed events of the pipeline are routed to others.
    func hasRoute(from pipeline: String) -> Bool { routes.withLock { $0[pipeline]?.isEmpty == false } }

    /// Sends an event to the receiving pipelines that are running or starting.
    ///
    /// - Parameters:
    ///   - failure: the description of the failure.
    ///   - event: the event that failed.
    ///   - pipeline: the pipeline that it failed in.
    func send(_ failure: JSON, of event: PipelineEvent, from pipeline: String) {
        var value = failure
        value["value"] = event.value
        // Several sinks and pipelines may fail on events that are made of one source event, in any order, so each has a
        // branch of its own.
        let deadLetter = event.with(value, memory: value.memory).inBranchOfFailures(at: value["sink"]?.string)
            .outsideSteps
        let routes = routes.withLock { $0 }
        for name in routes[pipeline] ?? [] {
            let isOneOfSeveral = routes.contains { $0.key != pipeline && $0.value.contains(name) }
            send(isOneOfSeveral ? deadLetter.on(deadLetter.branch.appending(pipeline)) : deadLetter, to: name)
        }
    }

    private func send(_ deadLetter: PipelineEvent, to name: String) {
        let signal = signal(of: name)
        let isSent = queues.withLock { queues in
            // A pipeline that has completed receives nothing.
            guard signal.hasObservers || queues.starting.contains(name) else { return false }
            queues.waiting[name, default: []].append(deadLetter)
            return true
        }
        if isSent { signal.onNext(()) }
    }

    private func signal(of name: String) -> PublishSubject<Void> {
        signals.withLock { signals in
            if let signal = signals[name] { return signal }
            let signal = account.charge { PublishSubject<Void>() }
            signals[name] = signal
            return signal
        }
    }
}

extension PipelineError {
    /// The event that a step or a sink failed on; `nil` if it was no event's failure.
    var failedEvent: PipelineEvent? { event ?? cause.stepError?.event }

    /// The description of the failure of an event, without its value: `{pipeline, step | sink, location, error,
    /// value: null}`.
    var eventDescription: JSON? {
        guard failedEvent != nil, let pipeline else { return nil }
        let stepError = cause.stepError
        var value: JSON = [
            "pipeline": .string(pipeline), "error": .string(stepError?.message ?? "\(cause.withoutCheckpoints)"),
            "value": .null,
        ]
        if let sink { value["sink"] = .string(sink) }
        if let stepError {
            value["step"] = .string(stepError.step)
            value["location"] = .string("\(stepError.location)")
        }
        return value
    }
}

extension Error {
    /// The error without its checkpoints, if it is a ``StepError``.
    var stepError: StepError? { withoutCheckpoints as? StepError }
}
