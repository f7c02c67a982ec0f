import RxDiagnostics
import RxEngine
import RxPipelines

// Unchecked: the secrets are behind the lock.
/// The credentials of the configs that are running. No record and no answer shows them.
final class HiddenSecrets: @unchecked Sendable {
    private let lock = Lock()
    /// Of the newest config, and of the one before: it may still write records.
    private var secrets: [Secrets] = []

    /// From now on these are hidden, too.
    func hide(_ more: Secrets) {
        lock.locked { secrets = [more] + secrets.prefix(1) }
    }

    func hidden(in record: Record) -> Record {
        all.reduce(record) { $0.hiding($1) }
    }

    func hidden(in text: String) -> String {
        all.reduce(text) { $1.redacted($0) }
    }

    private var all: [Secrets] { lock.locked { secrets } }
}
