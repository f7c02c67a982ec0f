import Dispatch
import RxControl
import RxDiagnostics
import RxJSON
import RxPipelines

/// Answers `rxwatchctl plan`: reads the configuration as a reload does, and compares it with the running graph.
final class ReloadPreview: Sendable {
    private let reader: ConfigReader
    private let reporter: ResourceReporter
    private let secrets: HiddenSecrets
    /// A queue of its own: reading a configuration may take long, and other requests do not wait for it.
    private let queue = DispatchQueue(label: "rx.plan")

    init(_ reader: ConfigReader, _ reporter: ResourceReporter, hiding secrets: HiddenSecrets) {
        (self.reader, self.reporter, self.secrets) = (reader, reporter, secrets)
    }

    /// Calls `reply` with what a reload would do, or with the errors of the configuration.
    func reply(_ reply: @escaping CommandQueue.Reply) {
        queue.async { [self] in reply(secrets.hidden(in: answer())) }
    }

    private func answer() -> ControlAnswer {
        guard let generation = reporter.running else { return .nothingRuns }
        let plan: Plan
        do {
            plan = try reader.read(for: .reload)
        } catch {
            return ControlAnswer(badConfig: error)
        }
        let changes = generation.graph.changes(from: generation.plan, to: plan)
        return ControlAnswer(
            (["\(reader.path): \(changes.summary)"] + changes.lines).joined(separator: "\n  "),
            details: changes.details)
    }
}
