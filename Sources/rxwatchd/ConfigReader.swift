import RxDiagnostics
import RxEngine
import RxJQ
import RxPipelines

/// Reads the configuration, at the start and for each reload.
struct ConfigReader: Sendable {
    let path: String
    private let secrets: HiddenSecrets
    private let recorder: Recorder
    /// The warnings that are recorded already.
    private let warnings = Locked<Set<String>>([])
    /// The compiled expressions of the running configuration: unchanged ones are not compiled again.
    private let expressions: JQLibrary

    init(_ path: String, hidingIn secrets: HiddenSecrets, _ recorder: Recorder) {
        self.path = path
        self.secrets = secrets
        self.recorder = recorder
        expressions = JQLibrary(evaluator: EvaluatorPool()) { slow in
            recorder.outbox.write(slow.record(generation: recorder.generation.value))
        }
    }

    /// Reads the configuration. From then on, records and answers hide its credentials. Records each warning once, for
    /// example about credentials that cannot be hidden.
    ///
    /// - Parameter purpose: whether the daemon starts, or reloads it while it runs.
    func read(for purpose: ConfigPurpose = .start) throws(Diagnostics) -> Plan {
        let loaded = try LoadedConfig(path, .ofProcess, expressions, for: purpose)
        secrets.hide(loaded.secrets)
        for warning in loaded.warnings.list.map(\.description)
        where warnings.withLock({ $0.insert(warning).inserted }) {
            recorder.record(.error, .warning, warning)
        }
        return loaded.plan
    }
}
