import Glibc
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxYAML
import Synchronization

/// `file: { path: TEMPLATE, format: TEMPLATE, mode: "0640" }`, or `file: TEMPLATE`: appends a line to a file for each
/// event.
struct FileSink: SinkKind {
    let path: Template
    /// `nil` for the event's value as JSON.
    let format: Template?
    let mode: UInt32
    let policy: QueuePolicy
    let settings: SinkSettings
    var spool: Int? { policy.disk }

    /// The largest number of lines in one write.
    private static let maximumBatch = 1000

    /// A line and the file that it is appended to.
    private struct Line {
        let path: BytePath
        let bytes: [UInt8]
    }

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SinkKind)? {
        var fields = FieldReader(node, in: "file", short: "path", context)
        let path = fields.required(
            "path",
            .template(
                "a path", example: "/var/lib/rxwatchd/events.jsonl", mayHoldCredential: true, pattern: "^/",
                templatePattern: "^/"), "The file that lines are appended to")
        let format = fields.optional(
            "format", .template(example: "\"{{.path}} changed\""), "The line; default: the event as JSON")
        let mode =
            fields.optional("mode", .fileMode, "The permissions of a file that is created; default: 0640") ?? 0o640
        let policy = QueuePolicy.read(&fields, hasOverlap: false)
        let settings = SinkSettings.read(&fields, recordsAll: false)
        if let path, !path.isAbsolute {
            let subject = path.constant.map { "'\($0)'" } ?? "the path"
            context.report.add(
                "\(subject) is a relative path; begin it with '/'",
                at: fields.valueLocation(of: "path"))
        }
        guard fields.finish(), let path else { return nil }
        if let constant = path.constant {
            context.note(ConfiguredPath(constant, .write, at: fields.valueLocation(of: "path")))
        }
        return FileSink(path: path, format: format, mode: mode, policy: policy, settings: settings)
    }

    func action(for event: PipelineEvent, in context: SinkContext) throws -> SinkAction {
        let path = try path.render(event, refusesNull: true, for: context.client)
        let line = try format?.render(event, for: context.client) ?? event.value.description
        return SinkAction("append to \(path): \(line)", ["path": .string(path), "line": .string(line)])
    }

    func open(in context: SinkContext) -> any OpenSink {
        let files = OpenFileCache(mode: mode)
        let failures = LineFailureCounter(context)
        let (batches, key, client) = (context.host.batches, context.key, context.client)
        let queue = SinkQueue(context, policy, maximum: Self.maximumBatch, blocks: true) { event in
            Line(
                path: try files.checked(BytePath(text: path.render(event, refusesNull: true, for: client))),
                bytes: try format.map { ByteText.bytes(of: try $0.render(event, for: client)) } ?? event.value.bytes)
        } batchWork: { batch, lines, _ in
            for (path, lines) in (batches?.begin(batch, lines, of: key) ?? lines).split(by: \.job.path) {
                files[path].append(
                    lines.lazy.map(\.job.bytes), failures, unless: { batch.isCancelled },
                    willWrite: { position, rest in
                        // A batch of one line is not stored: a kill repeats that line at most.
                        guard let batches, batch.count > 1 else { return }
                        let lines = lines[rest].lazy.map { (index: $0.index, bytes: $0.job.bytes) }
                        batches.store(lines, of: batch, at: position, in: path.text, key)
                    },
                    wrote: { batches?.wrote($0, of: key) },
                    refused: { line, error in
                        let index = lines[line].index
                        if let error { batch.fail(index, error) } else { batch.cancelJob(index) }
                    })
            }
            return .empty()
        } size: {
            $0.path.bytes.count + $0.bytes.count
        } done: {
            "a line appended to \(context.secrets.redacted($0.path.text).shortened)"
        }
        return OpenLineSink(queue, failures)
    }
}

extension Array {
    /// Splits into runs of adjacent elements with an equal property.
    fileprivate func split<Value: Equatable>(by property: (Element) -> Value) -> [(Value, ArraySlice<Element>)] {
        var parts: [(Value, ArraySlice<Element>)] = []
        var rest = self[...]
        while let value = rest.first.map(property) {
            let part = rest.prefix { property($0) == value }
            parts.append((value, part))
            rest = rest[part.endIndex...]
        }
        return parts
    }
}

extension Template {
    /// Whether the text begins with a '/' for every event.
    fileprivate var isAbsolute: Bool {
        if case .text(let text)? = parts.first { text.hasPrefix("/") } else { false }
    }
}

/// The open files of one sink, by path.
private final class OpenFileCache: Sendable {
    /// The largest number of open files.
    private static let maximum = 16

    private let mode: UInt32
    /// The files in the order of their last use, the latest last.
    private let files = Locked<[FileAppender]>([])

    init(mode: UInt32) {
        self.mode = mode
    }

    subscript(path: BytePath) -> FileAppender {
        let new = FileAppender(path, mode: mode)
        let (file, _) = files.withLock { files -> (FileAppender, FileAppender?) in
            let index = files.lastIndex { $0.path == path }
            let file = index.map { files.remove(at: $0) } ?? new
            // Returned, so that it is closed outside the lock.
            let oldest = files.count == Self.maximum ? files.removeFirst() : nil
            files.append(file)
            return (file, oldest)
        }
        return file
    }

    /// Returns the path, or throws if it contains '..' or NUL: data of an event must not lead out of the directory that
    /// the configuration names.
    func checked(_ path: BytePath) throws(FilePathError) -> BytePath {
        let isValid =
            !path.bytes.contains(0)
            && !path.bytes.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
        if isValid { return path }
        throw FilePathError(path: path.description)
    }
}

/// The refusal of a path that contains data of an event.
private struct FilePathError: Error, CustomStringConvertible {
    let path: String

    var description: String { "'\(path.shortened)' is refused: a path must not have '..' or a NUL in it" }
}

extension FileAppender {
    /// Appends lines.
    ///
    /// - Parameters:
    ///   - lines: the lines.
    ///   - failures: counts the refused lines.
    ///   - isCancelled: returns whether nothing more may be written.
    ///   - willWrite: called before each write, with its position in the file and the indices of its lines.
    ///   - wrote: called after the write with the number of written lines, if that was not all of them.
    ///   - refused: called with the index of each line that was not written, and the error; the error is `nil` if the
    ///     write was cancelled.
    fileprivate func append<Lines: Collection<[UInt8]>>(
        _ lines: Lines, _ failures: LineFailureCounter, unless isCancelled: () -> Bool,
        willWrite: (AppendPosition, Range<Lines.Index>) -> Void, wrote: (Int) -> Void,
        refused: (Lines.Index, SystemError?) -> Void
    ) {
        var rest = lines[...]
        var hasRefused = false
        while !rest.isEmpty {
            // After a refusal, lines are written one at a time: announcing all of them again for each refused line
            // would take quadratic time.
            let part = hasRefused ? rest.prefix(1) : rest
            var isAnnounced = false
            let (count, error) = append(part, unless: isCancelled) { position in
                isAnnounced = true
                willWrite(position, part.startIndex..<part.endIndex)
            }
            if count > 0 { failures.written() }
            rest = rest.dropFirst(count)
            guard let error else { continue }
            hasRefused = true
            if isAnnounced { wrote(count) }
            if error.number == ECANCELED {
                for index in rest.indices { refused(index, nil) }
                return
            }
            failures.refused()
            refused(rest.startIndex, error)
            rest = rest.dropFirst()
        }
    }
}

extension FieldType where Value == UInt32 {
    /// The permissions of a file.
    fileprivate static var fileMode: Self {
        .scalar(
            "permissions such as \"0640\"",
            schema: ["type": ["string", "integer"], "minimum": 0, "maximum": 777, "pattern": #"^0?[0-7]{3}$|\$\{"#]
        ) { text in
            guard (3...4).contains(text.utf8.count), text.utf8.count == 3 || text.hasPrefix("0") else { return nil }
            return UInt32(text, radix: 8)
        }
    }
}
