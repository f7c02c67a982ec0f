import RxEngine
import RxJSON
import RxLinux
import RxYAML

/// `files: { paths: [/etc/ssl/site], recursive: true, include: ["*.pem"], exclude: [.git], events: [modified], settle:
/// 200ms, existing: true }`, or `files: /etc/fstab`: events `{kind, path, from, directory, size, mtime, synthetic,
/// existing}`.
struct FilesSource: SourceKind {
    let request: FileRequest
    var settings = SourceSettings()
    /// The largest number of changes that are pending while `inFlight` is reached; one with long paths counts as
    /// several. The watcher finds further changes later by a comparison.
    var maximumPending = 100_000

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = FieldReader(node, in: "files", short: "paths", context)
        let paths = fields.required(
            "paths", .oneOrMore(of: .absolutePath(example: "/etc/ssl/site").used(.read, isRequired: false)),
            "The files and directories that are watched")
        let recursive =
            fields.optional("recursive", .bool, "Whether directories below are watched, too; default: false") ?? false
        let globs = FieldType<[String]>.oneOrMore(
            of: .string("a pattern", example: "\"*.pem\""), mayBeNone: true)
        let include = fields.optional("include", globs, "Patterns of the names that are watched; default: all") ?? []
        let exclude =
            fields.optional("exclude", globs, "Patterns of the names that are not watched; default: none") ?? []
        let kinds = fields.optional(
            "events", .oneOrMore(of: .choice() as FieldType<FileChange.Kind>),
            "The kinds of changes that are emitted; default: all but attributes and closed")
        let existing =
            fields.optional(
                "existing", .bool, "Whether files that exist at the first start are emitted as created; default: false")
            ?? false
        let settle =
            fields.optional(
                "settle", .duration(.zero ... .seconds(3_600)),
                "How long a file must be unchanged before its event; default: 0") ?? .zero
        let poll = fields.optional(
            "poll", .duration(.milliseconds(10) ... .seconds(86_400)),
            "Compares the files at this interval instead of using inotify; default: inotify, and every 5s on network, "
                + "FUSE, proc and sys file systems")
        let settings = SourceSettings.read(&fields)
        guard fields.finish(), let paths else { return nil }
        var request = FileRequest(
            paths.map { BytePath(text: $0) }, recursive: recursive, include: include.map { Glob($0) },
            exclude: exclude.map { Glob($0) }, existing: existing, settle: settle)
        if let kinds { request.kinds = Set(kinds) }
        if let poll { (request.method, request.period) = (.polling, poll) }
        return FilesSource(request: request, settings: settings)
    }

    func events(in context: SourceContext) -> Observable<JSON> {
        context.host.files.changes(request, onArmed: context.armed, onNotice: { record($0, in: context) })
            .observe(on: context.scheduler)
            .map(\.json)
    }

    func values(in context: SourceContext) -> Observable<SourceValue> {
        .deferred {
            context.host.files.readings(
                request, after: context.position().flatMap { FilePosition($0) }, limit: maximumPending,
                barriers: context.host.barriers, onArmed: context.armed, onNotice: { record($0, in: context) }
            )
            .observe(on: context.scheduler)
            .compactMap { reading -> SourceValue? in
                switch reading {
                case .started(let position): context.began(position.json)
                case .caughtUp: context.caughtUp()
                // Everything before it has become an event.
                case .barrier: break
                case .suspended(let count):
                    context.record(
                        .warning,
                        "\(count) changes are pending or not saved; reading is suspended, and further changes are "
                            + "found later by a comparison",
                        nil)
                case .change(let change, let name, let position, let slot):
                    return SourceValue(
                        change.json, position: position.json, name: EventName.make(of: name), slot: slot)
                }
                return nil
            }
        }
    }

    /// Records a notice. A problem that another source with the same path has recorded has the priority debug.
    private func record(_ notice: FileNotice, in context: SourceContext) {
        context.record(notice.isKnown ? .debug : notice.isProblem ? .warning : .notice, notice.message, notice.error)
    }

    /// The paths that do not exist and that the source would wait for.
    var notices: [(path: BytePath, message: String)] { request.notices.map { ($0.path, $0.notice.message) } }

    func addWatched(to watched: inout Set<BytePath>, limit: Int) { request.addWatched(to: &watched, limit: limit) }

    /// A path has up to 4096 bytes.
    var hasLargeValues: Bool { true }

    var isKeptByHost: Bool { true }

    func prepareToStore(on host: Host, isUrgent: Bool) throws -> Duration? {
        try host.files.saveChanges(isUrgent: isUrgent)
    }

    func stored(_ position: JSON, on host: Host) {
        if let position = FilePosition(position) { host.files.acknowledge(position) }
    }

    var valueType: ValueType {
        .object([
            "kind": .choice(FileChange.Kind.allCases.map(\.rawValue)), "path": .text, "from": .text,
            "directory": .boolean, "size": .number, "mtime": .number, "synthetic": .boolean, "existing": .boolean,
        ])
    }

    var armsLater: Bool { true }

    /// Keeps the latest change of each path. Changes are not merged across a move.
    var backpressure: BackpressurePolicy {
        .conflates { change in
            switch change["kind"]?.string {
            case "created", "modified", "attributes", "removed": change["path"]?.string
            case "closed": change["path"]?.string.map { "closed:\($0)" }
            default: nil
            }
        } join: { before, change in
            let isStillNew = before["kind"] == "created" && change["kind"] != "removed"
            let isStillModified = change["kind"] == "attributes" && before["kind"] == "modified"
            guard isStillNew || isStillModified else { return change }
            var joined = before
            for key in ["size", "mtime"] { joined[key] = change[key] }
            return joined
        }
    }

    /// `true`: the next process does not emit again what was emitted and has not arrived yet.
    var isStoppedByHost: Bool { true }

    var summary: String {
        request.paths.map(\.description).joined(separator: ", ") + (request.recursive ? " and below" : "")
    }
}

extension FileNotice {
    /// The notice, and what to write if it is about a pattern in place of a path.
    fileprivate var message: String {
        guard case .missing(let path) = self, let (directory, pattern) = path.text.splitBeforePattern else {
            return "\(self)"
        }
        let recursive = pattern.contains("/") ? ", recursive: true" : ""
        return "\(path) does not exist, and patterns are not expanded in paths; write paths: [\(directory.flowScalar)]"
            + "\(recursive), include: [\(pattern.flowScalar)]"
    }
}

extension String {
    /// The directory above the first name with a pattern, and the rest; `nil` if there is none.
    fileprivate var splitBeforePattern: (directory: String, pattern: String)? {
        guard let mark = firstIndex(where: { "*?[".contains($0) }), let slash = self[..<mark].lastIndex(of: "/") else {
            return nil
        }
        return (slash == startIndex ? "/" : String(self[..<slash]), String(self[index(after: slash)...]))
    }
}

extension FileChange {
    /// The value of the event.
    fileprivate var json: JSON {
        [
            "kind": .string(kind.rawValue), "path": .string(path.text),
            "from": from.map { .string($0.text) } ?? .null, "directory": .bool(isDirectory),
            "size": size.map { .number(Double($0)) } ?? .null,
            "mtime": modified.map { .number(Double($0) / 1_000_000_000) } ?? .null, "synthetic": .bool(isSynthetic),
            "existing": .bool(isExisting),
        ]
    }
}

extension FilePosition {
    fileprivate init?(_ json: JSON) {
        guard let log = json["log"]?.string.flatMap({ UInt64($0, radix: 36) }),
            let number = json["number"]?.number.flatMap({ UInt64(exactly: $0) })
        else { return nil }
        self.init(log: log, number: number)
    }

    fileprivate var json: JSON { ["log": .string(String(log, radix: 36)), "number": .number(Double(number))] }
}

extension FieldType where Value == String {
    /// An absolute path.
    static func absolutePath(example: String) -> Self {
        let text = string("a path", example: example, pattern: "^/")
        return FieldType(text.expected, schema: text.schema) { node, context in
            guard let path = text.read(node, context) else { return nil }
            // The system would use only the part before the NUL.
            if path.utf8.contains(0) {
                context.report.add("a path cannot hold the character NUL", at: node.location)
                return nil
            }
            if path.hasPrefix("/") { return path }
            context.report.add(
                "'\(path)' is a relative path; begin it with '/'",
                at: node.location)
            return nil
        }
    }
}
