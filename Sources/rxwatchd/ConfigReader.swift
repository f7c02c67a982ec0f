import RxDiagnostics
import RxJQ
import RxPipelines

/// Reads the config, at the start and for each reload.
struct ConfigReader: Sendable {
    let path: String
    private let secrets: HiddenSecrets
    /// The compiled expressions of the running config: unchanged ones are not compiled again.
    private let expressions: JQLibrary

    init(_ path: String, hidingIn secrets: HiddenSecrets, _ recorder: Recorder) {
        self.path = path
        self.secrets = secrets
        expressions = JQLibrary(evaluator: Evaluators()) { slow in
            recorder.outbox.write(slow.record(generation: recorder.generation.value))
        }
    }

    /// Reads the config. From then on, records and answers hide its credentials.
    ///
    /// - Parameter purpose: whether the daemon starts, or reloads it while it runs.
    func read(for purpose: ConfigPurpose = .start) throws(Diagnostics) -> Plan {
        let loaded = try LoadedConfig(path, .ofProcess, expressions, for: purpose)
        secrets.hide(loaded.secrets)
        return loaded.plan
    }
}
