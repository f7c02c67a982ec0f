import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxPipelines

// Unchecked: everything is behind the lock.
/// The credentials of every configuration of which something still runs. Records and answers hide them.
///
/// A configuration is forgotten when a later one is read and nothing holds its lease: no generation, and no source,
/// step or sink that finishes its work.
final class HiddenSecrets: @unchecked Sendable {
    /// The secrets of a configuration that is in use.
    private struct Config {
        weak var lease: Secrets.Lease?
        let secrets: Secrets
    }

    /// The longest beginning of a value, in bytes.
    private static let longestBeginning = 200

    private let lock = Lock()
    /// The newest first.
    private var configs: [Config] = []
    /// The lease of the newest configuration, which may be about to run.
    private var newest: Secrets.Lease?
    /// The credentials of all configurations together: of two with the same beginning, the longer one is found.
    private var all = Secrets()

    /// Hides these credentials from now on, too.
    func hide(_ more: Secrets) {
        lock.locked {
            newest = more.lease
            let added = Config(lease: more.lease, secrets: more.withoutLease)
            configs = [added] + configs.filter { $0.lease != nil && !$0.secrets.isEmpty }
            all = configs.reduce(into: Secrets()) { $0.insert($1.secrets) }
        }
    }

    func hidden(in record: Record) -> Record {
        record.hiding(known)
    }

    func hidden(in text: String) -> String {
        known.redacted(text)
    }

    /// The beginning of a text, which may end within a credential.
    func hidden(inBeginning text: String) -> String {
        known.redacted(beginning: text)
    }

    func hidden(in value: JSON) -> JSON {
        known.redacted(value)
    }

    /// The beginning of a value as JSON, for a line on a terminal.
    ///
    /// Credentials are hidden before it is cut: the beginning of one would not be recognized.
    func beginning(of value: JSON) -> String {
        let text = hidden(in: value).bytes
        let isCut = text.count > Self.longestBeginning
        return String(decoding: text.prefix(Self.longestBeginning), as: UTF8.self) + (isCut ? "…" : "")
    }

    func hidden(in answer: ControlAnswer) -> ControlAnswer {
        ControlAnswer(
            hidden(in: answer.message), exitCode: answer.exitCode, details: hidden(in: answer.details))
    }

    private var known: Secrets { lock.locked { all } }
}
