import Dispatch
import Glibc
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxYAML
import Synchronization

/// `journal: { match: { _SYSTEMD_UNIT: sshd.service } }`: an event is an entry's fields. Of a field that is there several
/// times, or in `match`, a list has all values.
struct JournalSource: SourceKind {
    let query: JournalQuery
    var settings = SourceSettings()

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = Fields(node, in: "journal", context)
        let values = FieldType<[String]>.oneOrMore(of: .string("a value", example: "sshd.service"))
        let match = fields.optional("match", .map(of: values, names: "^(?!__)[A-Z0-9_]+$")) ?? []
        for (name, location, _) in match { check(name, at: location, context.report) }
        let settings = SourceSettings.read(&fields)
        guard fields.finish() else { return nil }
        let matches = match.flatMap { name, _, values in values.map { JournalField(name, $0) } }
        return JournalSource(query: JournalQuery(matches), settings: settings)
    }

    /// Fields that are often asked for.
    private static let known = [
        "MESSAGE", "MESSAGE_ID", "PRIORITY", "SYSLOG_FACILITY", "SYSLOG_IDENTIFIER", "UNIT", "_BOOT_ID", "_COMM",
        "_EXE", "_HOSTNAME", "_MACHINE_ID", "_PID", "_SYSTEMD_CGROUP", "_SYSTEMD_SLICE", "_SYSTEMD_UNIT",
        "_SYSTEMD_USER_UNIT", "_TRANSPORT", "_UID",
    ]

    private static func check(_ name: String, at location: SourceLocation, _ report: Report) {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
        if isName, !name.isEmpty, !name.hasPrefix("__") { return }
        let reason =
            name.hasPrefix("__") && isName
            ? "is the journal's own, and no entry is found by it"
            : "is no name of a journal field: capital letters, digits and '_' are, such as _SYSTEMD_UNIT"
        report.add("'\(name.shortened)' \(reason)\(report.hint(for: name, in: known) ?? "")", at: location)
    }

    func events(in surroundings: SourceSurroundings) -> Observable<JSON> {
        .deferred {
            let queue = DispatchQueue(label: "rx.journal")
            let hasFailed = Atomic(false)
            let name = surroundings.name
            let permits = surroundings.makePermits()
            var query = query
            if let position = surroundings.position() { query.start = .after(cursor: position) }
            return Journal.entries(query, on: queue)
                .filter { entry in !Self.isEcho(of: name) { entry[$0] } && permits.wait() }
                .do(
                    onError: { _ in hasFailed.store(true, ordering: .relaxed) },
                    onSubscribed: {
                        // Behind the opening, which is the first turn on the queue.
                        queue.async { if !hasFailed.load(ordering: .relaxed) { surroundings.armed() } }
                    },
                    onDispose: { permits.end() }
                )
                .observe(on: surroundings.scheduler)
                .map { entry in
                    permits.arrived()
                    return entry.json
                }
        }
    }

    /// Whether an entry is a record of this process's own which an event of the source of this name has led to: whatever the
    /// source told of that would lead to another, without an end.
    static func isEcho(of name: String, in field: (String) -> String?) -> Bool {
        guard let cause = field(RecordField.cause.rawValue), cause.hasPrefix("\(name):") else { return false }
        return field("_PID") == String(getpid())
    }

    var armsLater: Bool { true }
    var backpressure: BackpressurePolicy { .blocks }

    func position(of value: JSON) -> String? { value["__CURSOR"]?.string }

    var summary: String {
        query.matches.isEmpty
            ? "every entry"
            : query.matches.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }.joined(separator: " ")
    }
}

extension JournalEntry {
    /// As an event.
    fileprivate var json: JSON {
        var object = JSON.Object()
        for field in fields {
            let value = JSON.string(String(decoding: field.value, as: UTF8.self))
            switch object[field.name] {
            case nil: object[field.name] = value
            case .array(let values)?: object[field.name] = .array(values + [value])
            case let first?: object[field.name] = [first, value]
            }
        }
        object["__CURSOR"] = .string(cursor)
        object["__REALTIME_TIMESTAMP"] = .number(Double(realtime))
        return .object(object)
    }
}
