import Glibc
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxYAML
import Synchronization

/// `journal: { match: { _SYSTEMD_UNIT: sshd.service } }`: each event has the fields of an entry. A field that an entry
/// has several times is a list of its values. In `match`, a list means any of its values.
struct JournalSource: SourceKind {
    let query: JournalQuery
    var settings = SourceSettings()

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = FieldReader(node, in: "journal", context)
        let values = FieldType<[String]>.oneOrMore(of: .string("a value", example: "sshd.service"))
        let match =
            fields.optional(
                "match", .map(of: values, names: "^(?!__)[A-Z0-9_]+$"),
                "The fields and values that an entry must have; default: every entry") ?? []
        for (name, location, _) in match { check(name, at: location, context.report) }
        let directory = fields.optional(
            "directory", .absolutePath(example: "/var/log/journal/remote").used(.read, isRequired: false),
            "A directory of journal files; default: the journal of the system")
        let settings = SourceSettings.read(&fields)
        guard fields.finish(example: { _ in "{ match: { _SYSTEMD_UNIT: nginx.service } }" }) else { return nil }
        if directory == nil { context.note(.journalOfSystem(at: fields.location)) }
        let matches = match.flatMap { name, _, values in values.map { JournalField(name, $0) } }
        let place = directory.map { JournalQuery.Location.directory($0) } ?? .system()
        return JournalSource(query: JournalQuery(matches, in: place), settings: settings)
    }

    /// Common fields, for hints.
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
            ? "is an address field of the journal, by which entries cannot be found"
            : "is not the name of a journal field: these have capital letters, digits and '_', such as _SYSTEMD_UNIT"
        let hint =
            aliases[name.lowercased()].map { "; did you mean '\($0)'?" } ?? report.hint(for: name, in: known) ?? ""
        report.add("'\(name.shortened)' \(reason)\(hint)", at: location)
    }

    /// Fields by other names, for hints.
    private static let aliases = [
        "unit": "_SYSTEMD_UNIT", "service": "_SYSTEMD_UNIT", "user_unit": "_SYSTEMD_USER_UNIT",
        "identifier": "SYSLOG_IDENTIFIER", "tag": "SYSLOG_IDENTIFIER", "facility": "SYSLOG_FACILITY",
        "level": "PRIORITY", "severity": "PRIORITY", "msg": "MESSAGE", "text": "MESSAGE", "host": "_HOSTNAME",
        "hostname": "_HOSTNAME", "pid": "_PID", "uid": "_UID", "command": "_COMM", "comm": "_COMM", "exe": "_EXE",
        "boot": "_BOOT_ID", "transport": "_TRANSPORT",
    ]

    /// The type of a field of an entry; `nil` for what is not the name of a field.
    ///
    /// A field that an entry has several times is a list of texts, which equals no text, number or boolean.
    static func fieldType(_ field: String) -> ValueType? {
        switch field {
        case "__REALTIME_TIMESTAMP": .number
        case "__TRUNCATED": .any
        default: field.utf8.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ? nil : .text
        }
    }

    /// The field that may be meant by what is not the name of one, for messages.
    static func hint(for name: String) -> String {
        "; did you mean '\(aliases[name.lowercased()] ?? name.uppercased())'?"
    }

    var valueType: ValueType { .journalEntry }

    func events(in context: SourceContext) -> Observable<JSON> {
        values(in: context).map(\.value)
    }

    func values(in context: SourceContext) -> Observable<SourceValue> {
        .deferred {
            let name = context.name
            let permits = context.makePermits()
            let before = context.position().flatMap { JournalPosition($0) }
            let authors = JournalPosition.OwnIdentities(after: before)
            let own = JournalPosition.OwnIdentities(after: nil)
            let sources = context.host.journalSources
            let loopGuard = JournalLoopGuard(
                name: name, asksForAuthor: JournalLoopGuard.asksForAuthor(query.matches),
                authors: authors, sources: sources, user: JournalLoopGuard.ownUser)
            let hasCaughtUp = Atomic(false)
            var query = query
            if let before { query.start = .after(cursor: before.cursor) }
            sources.add(name)
            // The others do not wait for a server that does not answer.
            let onUnanswered: @Sendable () -> Void = {
                context.record(.warning, unanswered, nil)
                context.armed()
            }
            return Journal.readings(query, barriers: context.host.barriers, onUnanswered: onUnanswered)
                .filter { reading in
                    guard case .entry(let entry) = reading else { return true }
                    return !loopGuard.excludes { entry[$0] } && permits.wait()
                }
                .do(
                    // After the element, whose actions on the scheduler come before the arming.
                    afterNext: { if case .started = $0 { context.armed() } },
                    onDispose: {
                        permits.end()
                        sources.remove(name)
                    }
                )
                .observe(on: context.scheduler)
                .compactMap { reading -> SourceValue? in
                    switch reading {
                    case .started(let cursor, let isExact):
                        if !isExact { context.record(.warning, Self.gap, nil) }
                        context.began(JournalPosition(cursor: cursor, authors: authors).json)
                    case .caughtUp:
                        hasCaughtUp.store(true, ordering: .relaxed)
                        context.caughtUp()
                    // Everything before it has become an event.
                    case .barrier: break
                    case .entry(let entry):
                        permits.arrived()
                        let authors = hasCaughtUp.load(ordering: .relaxed) ? own : authors
                        return SourceValue(
                            entry.json, position: JournalPosition(cursor: entry.cursor, authors: authors).json,
                            name: EventName.make(of: entry.cursor))
                    }
                    return nil
                }
        }
    }

    private var unanswered: String {
        let path =
            switch query.location {
            case .directory(let path): path
            case .system(namespace: nil): JournalAccess.fileOfServices ?? "the journal"
            case .system, .files: "the journal"
            }
        return "\(path) is on a file system that does not answer; the journal is read when "
            + "the file system answers, and nothing else is delayed"
    }

    private static let gap =
        "the last entry that was read is no longer in the journal; reading continues with the next one, and "
        + "entries in between may be lost"

    var armsLater: Bool { true }
    var backpressure: BackpressurePolicy { .blocks }
    var hasLargeValues: Bool { true }

    var summary: String {
        if case .directory(let path) = query.location { return "\(shownMatches) in \(path)" }
        return shownMatches
    }

    /// The fields and values that an entry must have: `_SYSTEMD_UNIT=sshd.service`.
    var shownMatches: String {
        query.matches.isEmpty
            ? "every entry"
            : query.matches.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }.joined(separator: " ")
    }
}

/// The position from which a source resumes in the journal.
struct JournalPosition: Equatable {
    /// The identities of the daemon, by which its own entries are recognized.
    struct OwnIdentities: Equatable {
        /// The IDs of the daemon's processes whose entries may follow the position, the latest last.
        var processes: [Int]
        /// The IDs of the service's runs of these processes.
        var invocations: [String]
        /// Whether the last of these processes is in the last of these runs.
        var isService: Bool

        init(processes: [Int], invocations: [String] = [], isService: Bool = false) {
            self.processes = processes
            self.invocations = invocations
            self.isService = isService
        }

        /// Adds this process to those of a position. Their number is limited, since the daemon may have crashed many
        /// times.
        init(after position: JournalPosition?) {
            let own = Int(getpid())
            processes = ((position?.authors.processes ?? []).filter { $0 != own } + [own]).suffix(100)
            let run = JournalLoopGuard.ownInvocation
            isService = run != nil
            invocations =
                ((position?.authors.invocations ?? []).filter { $0 != run } + [run].compactMap(\.self)).suffix(100)
        }
    }

    let cursor: String
    let authors: OwnIdentities

    init(cursor: String, authors: OwnIdentities) {
        self.cursor = cursor
        self.authors = authors
    }

    init?(_ json: JSON) {
        guard let cursor = json["cursor"]?.string else { return nil }
        self.init(
            cursor: cursor,
            authors: OwnIdentities(
                processes: (json["processes"]?.array ?? []).compactMap { $0.number.flatMap { Int(exactly: $0) } },
                invocations: (json["invocations"]?.array ?? []).compactMap(\.string)))
    }

    var json: JSON {
        [
            "cursor": .string(cursor), "processes": .array(authors.processes.map { .number(Double($0)) }),
            "invocations": .array(authors.invocations.map(JSON.string)),
        ]
    }
}

extension JournalEntry {
    /// The value of the event.
    var json: JSON {
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
        if !truncated.isEmpty { object["__TRUNCATED"] = .array(truncated.sorted().map(JSON.string)) }
        return .object(object)
    }
}
