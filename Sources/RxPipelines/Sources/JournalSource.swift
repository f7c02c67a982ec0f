import Glibc
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxYAML
import Synchronization

/// `journal: { match: { _SYSTEMD_UNIT: sshd.service } }`: an event is an entry's fields. Of a field that is there
/// several times, or in `match`, a list has all values.
struct JournalSource: SourceKind {
    let query: JournalQuery
    var settings = SourceSettings()

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = Fields(node, in: "journal", context)
        let values = FieldType<[String]>.oneOrMore(of: .string("a value", example: "sshd.service"))
        let match = fields.optional("match", .map(of: values, names: "^(?!__)[A-Z0-9_]+$")) ?? []
        for (name, location, _) in match { check(name, at: location, context.report) }
        let directory = fields.optional("directory", .absolutePath(example: "/var/log/journal/remote"))
        let settings = SourceSettings.read(&fields)
        guard fields.finish() else { return nil }
        let matches = match.flatMap { name, _, values in values.map { JournalField(name, $0) } }
        let place = directory.map { JournalQuery.Place.directory($0) } ?? .system()
        return JournalSource(query: JournalQuery(matches, in: place), settings: settings)
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

    func events(in context: SourceContext) -> Observable<JSON> {
        values(in: context).map(\.value)
    }

    func values(in context: SourceContext) -> Observable<SourceValue> {
        .deferred {
            let name = context.name
            let permits = context.makePermits()
            let before = context.position().flatMap { JournalPosition($0) }
            let processes = JournalPosition.processes(after: before)
            let own = JournalPosition.processes(after: nil)
            let hasCaughtUp = Atomic(false)
            var query = query
            if let before { query.start = .after(cursor: before.cursor) }
            return Journal.readings(query)
                .filter { reading in
                    guard case .entry(let entry) = reading else { return true }
                    return !Self.isEcho(of: name, by: processes) { entry[$0] } && permits.wait()
                }
                .do(
                    // Behind what the scheduler has to do for it.
                    afterNext: { if case .started = $0 { context.armed() } },
                    onDispose: { permits.end() }
                )
                .observe(on: context.scheduler)
                .compactMap { reading -> SourceValue? in
                    switch reading {
                    case .started(let cursor, let isExact):
                        if !isExact { context.record(.warning, Self.gap, nil) }
                        context.began(JournalPosition(cursor: cursor, processes: processes).json)
                    case .caughtUp:
                        hasCaughtUp.store(true, ordering: .relaxed)
                        context.caughtUp()
                    case .entry(let entry):
                        permits.arrived()
                        let authors = hasCaughtUp.load(ordering: .relaxed) ? own : processes
                        return SourceValue(
                            entry.json, position: JournalPosition(cursor: entry.cursor, processes: authors).json,
                            name: EventName.make(of: entry.cursor))
                    }
                    return nil
                }
        }
    }

    private static let gap =
        "the last entry that it has read is no longer in the journal; it goes on with the next one, and entries in between "
        + "may be lost"

    /// Whether an entry is a record of this daemon's own which an event of the source of this name has led to: whatever
    /// the source emitted for that would lead to another, without an end.
    static func isEcho(of name: String, by processes: [Int], in field: (String) -> String?) -> Bool {
        guard let cause = field(RecordField.cause.rawValue), cause.hasPrefix("\(name):") else { return false }
        return field("_PID").flatMap { Int($0) }.map { processes.contains($0) } ?? false
    }

    var armsLater: Bool { true }
    var backpressure: BackpressurePolicy { .blocks }

    var summary: String {
        let entries =
            query.matches.isEmpty
            ? "every entry"
            : query.matches.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }.joined(separator: " ")
        if case .directory(let path) = query.place { return "\(entries) in \(path)" }
        return entries
    }
}

/// Where a source resumes in the journal.
struct JournalPosition: Equatable {
    let cursor: String
    /// The processes of the daemon whose records may follow, the latest last.
    let processes: [Int]

    init(cursor: String, processes: [Int]) {
        self.cursor = cursor
        self.processes = processes
    }

    init?(_ json: JSON) {
        guard let cursor = json["cursor"]?.string else { return nil }
        self.init(cursor: cursor, processes: (json["processes"]?.array ?? []).compactMap { $0.number.map { Int($0) } })
    }

    var json: JSON {
        ["cursor": .string(cursor), "processes": .array(processes.map { .number(Double($0)) })]
    }

    /// Those before, of which there may be many that the daemon has crashed in, and this one.
    static func processes(after position: JournalPosition?) -> [Int] {
        let own = Int(getpid())
        return ((position?.processes ?? []).filter { $0 != own } + [own]).suffix(100)
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
