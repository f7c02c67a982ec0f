import RxEngine
import RxJSON
import RxLinux
import RxYAML

/// `files: { paths: [/etc/ssl/site], recursive: true, include: ["*.pem"], exclude: [.git], events: [modified], settle:
/// 200ms }`, or `files: /etc/fstab`: events `{kind, path, from, directory, synthetic}`.
struct FilesSource: SourceKind {
    let request: FileRequest
    var settings = SourceSettings()
    /// The largest number of changes that are pending while `inFlight` is reached. The watcher leaves further ones to a
    /// comparison.
    var mostPending = 100_000

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = Fields(node, in: "files", short: "paths", context)
        let paths = fields.required("paths", .oneOrMore(of: .absolutePath(example: "/etc/ssl/site")))
        let recursive = fields.optional("recursive", .bool) ?? false
        let globs = FieldType<[String]>.oneOrMore(
            of: .string("a pattern", example: "\"*.pem\""), mayBeNone: true)
        let include = fields.optional("include", globs) ?? []
        let exclude = fields.optional("exclude", globs) ?? []
        let kinds = fields.optional("events", .oneOrMore(of: .choice() as FieldType<FileChange.Kind>))
        let settle = fields.optional("settle", .duration(.zero ... .seconds(3_600))) ?? .zero
        let poll = fields.optional("poll", .duration(.milliseconds(10) ... .seconds(86_400)))
        let settings = SourceSettings.read(&fields)
        guard fields.finish(), let paths else { return nil }
        var request = FileRequest(
            paths.map { BytePath($0) }, recursive: recursive, include: include.map(Glob.init),
            exclude: exclude.map(Glob.init), settle: settle)
        if let kinds { request.kinds = Set(kinds) }
        if let poll { (request.method, request.period) = (.polling, poll) }
        return FilesSource(request: request, settings: settings)
    }

    func events(in context: SourceContext) -> Observable<JSON> {
        context.host.files.changes(request, onArmed: context.armed)
            .accompanied { recordDegradations(in: context) }
            .observe(on: context.scheduler)
            .map(\.json)
    }

    func values(in context: SourceContext) -> Observable<SourceValue> {
        .deferred {
            context.host.files.readings(
                request, after: context.position().flatMap { FilePosition($0) }, limit: mostPending,
                onArmed: context.armed
            )
            .accompanied { recordDegradations(in: context) }
            .observe(on: context.scheduler)
            .compactMap { reading -> SourceValue? in
                switch reading {
                case .started(let position): context.began(position.json)
                case .caughtUp: context.caughtUp()
                case .suspended(let count):
                    context.record(
                        .warning,
                        "\(count) changes are pending or not saved; further ones are found later, by comparing", nil)
                case .change(let change, let name, let position, let slot):
                    return SourceValue(
                        change.json, position: position.json, name: EventName.make(of: name), slot: slot)
                }
                return nil
            }
        }
    }

    private func recordDegradations(in context: SourceContext) -> any Disposable {
        context.host.files.degradations.filter(concerns)
            .subscribe(onNext: { context.record(.warning, "\($0)", $0.error) })
    }

    var isKeptByHost: Bool { true }

    func prepareToStore(on host: Host, isUrgent: Bool) throws -> Duration? {
        try host.files.saveChanges(isUrgent: isUrgent)
    }

    func stored(_ position: JSON, on host: Host) {
        if let position = FilePosition(position) { host.files.acknowledge(position) }
    }

    /// Whether what is not watched as it should be is one of these paths, what is below it, or where it will be.
    private func concerns(_ degradation: FileDegradation) -> Bool {
        let place = "\(degradation.path)/"
        return request.paths.contains { path in
            let path = "\(path)/"
            return place.hasPrefix(path) || path.hasPrefix(place)
        }
    }

    var armsLater: Bool { true }

    /// Keeps the latest change of each path. Changes are not merged across a move.
    var backpressure: BackpressurePolicy {
        .conflates { change in
            let isOfOnePath = ["created", "modified", "attributes", "removed"].contains(change["kind"]?.string)
            return isOfOnePath ? change["path"]?.string : nil
        } join: { before, change in
            let isStillNew = before["kind"] == "created" && change["kind"] != "removed"
            if isStillNew { return before }
            return change["kind"] == "attributes" && before["kind"] == "modified" ? before : change
        }
    }

    /// What was emitted and has not arrived yet is not emitted again by the next process.
    var isStoppedByHost: Bool { true }

    var summary: String {
        request.paths.map(\.description).joined(separator: ", ") + (request.recursive ? " and below" : "")
    }
}

extension FileChange {
    /// As an event.
    fileprivate var json: JSON {
        [
            "kind": .string(kind.rawValue), "path": .string("\(path)"),
            "from": from.map { .string("\($0)") } ?? .null, "directory": .bool(isDirectory),
            "synthetic": .bool(isSynthetic),
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
    /// A path from / on.
    static func absolutePath(example: String) -> Self {
        let text = string("a path", example: example, pattern: "^/")
        return FieldType(text.expected, schema: text.schema) { node, context in
            guard let path = text.read(node, context) else { return nil }
            if path.hasPrefix("/") { return path }
            context.report.add(
                "'\(path)' is relative to a directory that the daemon may not have; write it from / on",
                at: node.location)
            return nil
        }
    }
}
