import RxDiagnostics
import RxJQ
import RxPipelines

/// Reads the config, at the start and for each reload.
struct ConfigReader: Sendable {
    let path: String
    private let secrets: HiddenSecrets
    /// The expressions of the config that runs: those that stay the same are not compiled again.
    private let expressions: JQLibrary

    init(_ path: String, hidingIn secrets: HiddenSecrets, _ recorder: Recorder) {
        self.path = path
        self.secrets = secrets
        expressions = JQLibrary { slow in
            recorder.outbox.write(slow.record(generation: recorder.generation.value))
        }
    }

    /// Reads the config. From then on, no record and no answer shows its credentials.
    ///
    /// - Parameter isReload: whether the daemon runs already, and must not wait long for the config.
    func read(isReload: Bool = false) throws(Diagnostics) -> Plan {
        let loaded = try LoadedConfig(path, .ofProcess, expressions, isReload: isReload)
        secrets.hide(loaded.secrets)
        return loaded.plan
    }
}
