import RxControl
import RxDiagnostics
import RxPipelines

/// Records the outcomes of starts, reloads and stops, and answers the requests for a reload.
struct ReloadReports {
    let config: String
    let recorder: Recorder
    let secrets: HiddenSecrets
    let started: ContinuousClock.Instant
    let reporter: ResourceReporter

    func ready(_ summary: String, to replies: [CommandQueue.Reply]) {
        let time = (ContinuousClock.now - started).formatted
        reporter.reloaded(failure: nil)
        recorder.record(.lifecycle, .info, "ready after \(time): \(summary)", [.phase: "ready"])
        answer(ControlAnswer("reloaded \(config): \(summary)"), replies)
    }

    func reloaded(_ summary: String, to replies: [CommandQueue.Reply]) {
        let message = "reloaded \(config): \(summary)"
        reporter.reloaded(failure: nil)
        recorder.record(.reload, .notice, message)
        answer(ControlAnswer(message), replies)
    }

    func refused(_ failures: [String], to replies: [CommandQueue.Reply]) {
        let reason = failures.joined(separator: "; ")
        let message = "\(config) was not loaded, the previous configuration keeps running: \(reason)"
        reporter.reloaded(failure: reason)
        recorder.record(.reload, .err, message, [.error: reason, .errorType: "ArmingFailure"])
        answer(ControlAnswer(message, exitCode: ExitCode.failure), replies)
    }

    func badConfig(_ errors: Diagnostics, to replies: [CommandQueue.Reply]) {
        reporter.reloaded(failure: errors.description)
        recorder.record(.reload, errors)
        answer(ControlAnswer(badConfig: errors), replies)
    }

    func stopping(_ reason: StopReason, to replies: [CommandQueue.Reply]) {
        recorder.record(.lifecycle, reason.priority, "stopping on \(reason)", [.phase: "stopping"])
        answer(reason.refusal, replies)
    }

    private func answer(_ answer: ControlAnswer, _ replies: [CommandQueue.Reply]) {
        let shown = secrets.hidden(in: answer)
        for reply in replies { reply(shown) }
    }
}

extension Duration {
    /// The duration in milliseconds.
    fileprivate var formatted: String {
        "\(Double(Int(self / .microseconds(100))) / 10) ms"
    }
}
