import Glibc
import RxEngine
import RxLinux

/// Keeps a journal source from emitting entries that this daemon writes because of such a source: each of these entries
/// would lead to another one, in an endless loop.
///
/// | entry | left out |
/// |---|---|
/// | a line that this daemon has written on its standard output | always |
/// | a record that an event of a journal source has led to | always |
/// | any other entry of this daemon or its commands | unless the source asks for entries by their author |
struct JournalLoopGuard: Sendable {
    /// The name of the source.
    let name: String
    /// Whether the source asks for entries by their author.
    let asksForAuthor: Bool
    /// The daemon's processes and runs.
    let authors: JournalPosition.OwnIdentities
    /// The names of the journal sources that run.
    let sources: JournalSourceNames
    /// The ID of a user that only the daemon's service has; `nil` if there is none.
    var user: String?

    /// The fields that identify the author of an entry, besides those of this daemon's records.
    private static let authorFields: Set = [
        "MESSAGE_ID", "SYSLOG_IDENTIFIER", "_CMDLINE", "_COMM", "_EXE", "_PID", "_SYSTEMD_CGROUP",
        "_SYSTEMD_INVOCATION_ID", "_SYSTEMD_UNIT", "_SYSTEMD_USER_UNIT",
    ]

    /// Whether these matches ask for entries by their author.
    static func asksForAuthor(_ matches: [JournalField]) -> Bool {
        matches.contains { authorFields.contains($0.name) || $0.name.hasPrefix("RX_") }
    }

    /// Whether the entry with these fields is left out.
    func excludes(_ field: (String) -> String?) -> Bool {
        let process = field("_PID").flatMap { Int($0) }
        let isOfProcess = process.map { authors.processes.contains($0) } ?? false
        let isOfRun = field("_SYSTEMD_INVOCATION_ID").map { authors.invocations.contains($0) } ?? false
        // A process ID may be reused, the ID of a service's run is not.
        let isOwn = isOfProcess && isOfRun || !authors.isService && process == authors.processes.last
        if isOwn, field("_TRANSPORT") == "stdout" { return true }
        if isOfProcess, let cause = field(RecordField.cause.rawValue), isOfJournalSource(cause) { return true }
        return !asksForAuthor && (isOwn || isOfRun || isOfEndedCommand(field))
    }

    /// Whether the entry is from a command that ended before the journal looked up its unit. Its user is known
    /// nevertheless, since the kernel passes that with the entry.
    private func isOfEndedCommand(_ field: (String) -> String?) -> Bool {
        user != nil && field("_UID") == user && field("_SYSTEMD_INVOCATION_ID") == nil
    }

    /// Whether a cause, such as `denied:5`, is an event of a journal source.
    private func isOfJournalSource(_ cause: String) -> Bool {
        guard let end = cause.lastIndex(of: ":") else { return false }
        let source = String(cause[..<end])
        return source == name || sources.contain(source)
    }

    /// The user of this process, if it is a service that does not run as root.
    static var ownUser: String? { ownInvocation == nil || geteuid() == 0 ? nil : String(geteuid()) }

    /// The ID of the service's run that this process is in; `nil` if no service manager has started it.
    static var ownInvocation: String? {
        // A process that a service starts inherits the variable, but is not the service.
        guard let id = getenv("INVOCATION_ID"), let process = getenv("SYSTEMD_EXEC_PID"),
            Int32(String(cString: process)) == getpid()
        else { return nil }
        return String(cString: id)
    }
}

/// The names of the journal sources that run in a process.
package final class JournalSourceNames: Sendable {
    private let counts = Locked<[String: Int]>([:])

    package init() {}

    func contain(_ name: String) -> Bool {
        counts.withLock { $0[name] != nil }
    }

    func add(_ name: String) {
        counts.withLock { $0[name, default: 0] += 1 }
    }

    func remove(_ name: String) {
        counts.withLock { counts in
            guard let count = counts[name] else { return }
            counts[name] = count > 1 ? count - 1 : nil
        }
    }
}
