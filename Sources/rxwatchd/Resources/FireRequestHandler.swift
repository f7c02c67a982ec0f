import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxPipelines

/// Answers `rxwatchctl fire`: makes a source emit or poll at once, and waits for its next event.
final class FireRequestHandler: Disposable {
    private let taps: TapRegistry
    private let reporter: ResourceReporter
    private let recorder: Recorder
    private let secrets: HiddenSecrets
    /// Emits when the daemon stops: nothing is waited for any more.
    private let stop = PublishSubject<Void>()
    private let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.fire")

    init(_ taps: TapRegistry, _ reporter: ResourceReporter, _ recorder: Recorder, hiding secrets: HiddenSecrets) {
        (self.taps, self.reporter, self.recorder, self.secrets) = (taps, reporter, recorder, secrets)
    }

    /// Calls `reply` when the source has emitted an event or has failed, or after `timeout` seconds.
    ///
    /// - Returns: a closure that ends the wait without an answer.
    func reply(
        to source: String, timeout: Double, _ reply: @escaping CommandQueue.Reply
    ) -> WaitingRequests.Cancel {
        if timeout == 0 {
            let asked = ControlAnswer("source '\(source)' was asked to emit at once")
            reply(secrets.hidden(in: ask(source) ?? asked))
            return {}
        }
        let cancelled = PublishSubject<Void>()
        _ = outcome(of: source)
            .observe(on: scheduler)
            .compactMap { [self] in answer(source, $0) }
            .take(1)
            .timeout(
                .nanoseconds(Int(timeout * 1e9)),
                other: .deferred { [self] in .just(noEvent(of: source, after: timeout)) }, scheduler: scheduler
            )
            .take(until: stop).take(until: cancelled)
            .subscribe(onNext: { [secrets] in reply(secrets.hidden(in: $0)) })
        return { [weak cancelled] in cancelled?.onNext(()) }
    }

    /// The answer to what has become of the request; `nil` if the wait goes on.
    private func answer(_ source: String, _ outcome: Outcome) -> ControlAnswer? {
        switch outcome {
        case .refused(let answer): answer
        case .notified(.emitted(let event)):
            ControlAnswer(
                "\(event.cause) (\(event.id)): \(secrets.beginning(of: event.value))",
                details: ["cause": .string(event.cause), "id": .string(event.id), "value": event.value])
        case .notified(.failed(let failure)):
            ControlAnswer("source '\(source)' has failed: \(failure.message)", exitCode: ExitCode.failure)
        case .notified(.phase(.completed)), .notified(.phase(.idle)):
            ended(source)
        case .notified: nil
        }
    }

    private func ended(_ source: String) -> ControlAnswer {
        ControlAnswer("source '\(source)' has ended before it emitted an event", exitCode: ExitCode.failure)
    }

    private func noEvent(of source: String, after timeout: Double) -> ControlAnswer {
        // A reload may have removed it.
        guard reporter.running?.graph.picture.nodes.contains(where: { $0.name == source }) == true else {
            return ended(source)
        }
        return ControlAnswer(
            "source '\(source)' was asked to emit, and has not after \(SystemdDuration.format(.seconds(timeout))): its "
                + "request or command is still running, or its unsettled events hold it back",
            exitCode: ExitCode.failure)
    }

    /// Ends the waiting of all requests.
    func dispose() { stop.onNext(()) }

    /// The outcome of asking a source to emit: a refusal, or what the source then did.
    private enum Outcome {
        case refused(ControlAnswer)
        case notified(TapRegistry.Notification)
    }

    /// Asks the source to emit, and emits what it does.
    private func outcome(of source: String) -> Observable<Outcome> {
        .create { [self] observer in
            let tap = taps.add([source]) { _, notification in
                switch notification {
                // Without its delivery, which would keep the event unsettled meanwhile.
                case .emitted(let event): observer.onNext(.notified(.emitted(event.remembered)))
                case .failed, .phase: observer.onNext(.notified(notification))
                // Of no use here; they are observed on any thread.
                case .settled, .dropped, .subscription: break
                }
            }
            if let refusal = ask(source) { observer.onNext(.refused(refusal)) }
            return tap
        }
    }

    /// Asks the source to emit.
    ///
    /// - Returns: the answer if it does not.
    private func ask(_ source: String) -> ControlAnswer? {
        guard let generation = reporter.running else { return .nothingRuns }
        if let refusal = generation.graph.fire(source) {
            return ControlAnswer(refusal, exitCode: ExitCode.failure)
        }
        recorder.record(.source, .info, "\(source): asked to emit at once, with rxwatchctl fire", [.source: source])
        return nil
    }
}
