import RxControl
import RxDiagnostics
import RxPipelines

extension ResourceReporter {
    /// Makes a source of the running configuration emit or poll at once, and records it.
    func fire(_ source: String, _ recorder: Recorder, hiding secrets: HiddenSecrets) -> ControlAnswer {
        guard let generation = running else { return .nothingRuns }
        if let refusal = generation.graph.fire(source) {
            return secrets.hidden(in: ControlAnswer(refusal, exitCode: ExitCode.failure))
        }
        recorder.record(
            .source, .info, "\(source): asked to emit at once, with rxwatchctl fire", [.source: source])
        return ControlAnswer("source '\(source)' was asked to emit at once")
    }
}
