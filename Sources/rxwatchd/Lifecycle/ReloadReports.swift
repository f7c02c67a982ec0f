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

    /// - Parameter changes: what a reload during the start has changed.
    func ready(_ summary: String, _ changes: GraphChanges?, to replies: [CommandQueue.Reply]) {
        let time = (ContinuousClock.now - started).formatted
        reporter.reloaded(failure: nil)
        recorder.record(.lifecycle, .info, "ready after \(time): \(summary)", [.phase: "ready"])
        answer(reloaded(summary, changes), replies)
    }

    func reloaded(_ summary: String, _ changes: GraphChanges?, to replies: [CommandQueue.Reply]) {
        let reloaded = reloaded(summary, changes)
        reporter.reloaded(failure: nil)
        recorder.record(.reload, .notice, reloaded.message)
        answer(reloaded, replies)
    }

    private func reloaded(_ summary: String, _ changes: GraphChanges?) -> ControlAnswer {
        ControlAnswer(
            "reloaded \(config): \(summary)\(changes.map { "; \($0.outcome)" } ?? "")",
            details: changes?.details ?? .null)
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
