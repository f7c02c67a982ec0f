import RxControl
import RxDiagnostics
import RxPipelines

/// Records how starts and reloads went, and answers those who asked for a reload.
struct ReloadReports {
    let config: String
    let recorder: Recorder
    let secrets: HiddenSecrets
    let started: ContinuousClock.Instant

    func ready(_ summary: String, to askers: [Commands.Reply]) {
        let time = (ContinuousClock.now - started).formatted
        recorder.record(.lifecycle, .info, "ready after \(time): \(summary)", [.phase: "ready"])
        answer(ControlAnswer("reloaded \(config): \(summary)"), askers)
    }

    func reloaded(_ summary: String, to askers: [Commands.Reply]) {
        let message = "reloaded \(config): \(summary)"
        recorder.record(.reload, .notice, message)
        answer(ControlAnswer(message), askers)
    }

    func refused(_ failures: [String], to askers: [Commands.Reply]) {
        let reason = failures.joined(separator: "; ")
        let message = "\(config) was not taken over: \(reason)"
        recorder.record(.reload, .err, message, [.error: reason, .errorType: "ArmingFailure"])
        answer(ControlAnswer(message, exitCode: ExitCode.failure), askers)
    }

    func badConfig(_ mistakes: Diagnostics, to askers: [Commands.Reply]) {
        recorder.record(.reload, mistakes)
        answer(ControlAnswer(badConfig: mistakes), askers)
    }

    func stopping(_ ending: Ending, to askers: [Commands.Reply]) {
        recorder.record(.lifecycle, ending.priority, "stopping on \(ending)", [.phase: "stopping"])
        answer(ending.refusal, askers)
    }

    /// The answer without credentials.
    func shown(_ answer: ControlAnswer) -> ControlAnswer {
        ControlAnswer(secrets.hidden(in: answer.message), exitCode: answer.exitCode, details: answer.details)
    }

    private func answer(_ answer: ControlAnswer, _ askers: [Commands.Reply]) {
        let shown = shown(answer)
        for reply in askers { reply(shown) }
    }
}

extension Duration {
    /// The duration in milliseconds.
    fileprivate var formatted: String {
        "\(Double(Int(self / .microseconds(100))) / 10) ms"
    }
}
