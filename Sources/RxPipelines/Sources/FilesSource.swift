import RxEngine
import RxLinux

/// `files: { paths: [/etc/ssl/site], recursive: true, include: ["*.pem"], exclude: [.git], events: [modified], settle: 200ms }`,
/// or `files: /etc/fstab`: events `{kind, path, from, directory, synthetic}`.
struct FilesSource: SourceKind {
    let request: FileRequest

    static func read(_ node: YAMLNode, _ report: Report) -> (any SourceKind)? {
        var fields = Fields(node, in: "files", short: "paths", report)
        let path = FieldType.string("a path", example: "/etc/ssl/site", pattern: "^/")
        let paths = fields.required("paths", .oneOrMore(of: path))
        let recursive = fields.optional("recursive", .bool) ?? false
        let globs = FieldType<[String]>.oneOrMore(
            of: .string("a pattern", example: "\"*.pem\""), mayBeNone: true)
        let include = fields.optional("include", globs) ?? []
        let exclude = fields.optional("exclude", globs) ?? []
        let kinds = fields.optional("events", .oneOrMore(of: .choice() as FieldType<FileChange.Kind>))
        let settle = fields.optional("settle", .duration(.zero ... .seconds(3_600))) ?? .zero
        let poll = fields.optional("poll", .duration(.milliseconds(10) ... .seconds(86_400)))
        guard fields.finish(), let paths else { return nil }
        if let relative = paths.first(where: { !$0.hasPrefix("/") }) {
            report.add(
                "'\(relative)' is relative to a directory that the daemon may not have; write it from / on",
                at: fields.location(of: "paths"))
            return nil
        }
        var request = FileRequest(
            paths.map { BytePath($0) }, recursive: recursive, include: include.map(Glob.init),
            exclude: exclude.map(Glob.init), settle: settle)
        if let kinds { request.kinds = Set(kinds) }
        if let poll { (request.method, request.period) = (.polling, poll) }
        return FilesSource(request: request)
    }

    func events(in surroundings: SourceSurroundings) -> Observable<JSON> {
        surroundings.host.files.changes(request, onArmed: surroundings.armed)
            .observe(on: surroundings.scheduler)
            .map { change in
                [
                    "kind": .string(change.kind.rawValue), "path": .string("\(change.path)"),
                    "from": change.from.map { .string("\($0)") } ?? .null, "directory": .bool(change.isDirectory),
                    "synthetic": .bool(change.isSynthetic),
                ]
            }
    }

    var armsLater: Bool { true }

    var summary: String {
        request.paths.map(\.description).joined(separator: ", ") + (request.recursive ? " and below" : "")
    }
}
