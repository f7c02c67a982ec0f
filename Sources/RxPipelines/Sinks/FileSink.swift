import Glibc
import RxDiagnostics
import RxEngine
import RxLinux
import RxYAML
import Synchronization

/// `file: { path: TEMPLATE, format: TEMPLATE, mode: "0640" }`, or `file: TEMPLATE`: a line at the file's end for each
/// event.
struct FileSink: SinkKind {
    let path: Template
    /// `nil` for the event's value as JSON.
    let format: Template?
    let mode: UInt32
    let rules: QueuePolicy
    let settings: SinkSettings
    var spool: Int? { rules.disk }

    /// How many lines that wait are written in one go.
    private static let mostAtOnce = 1000

    private struct Line {
        let path: String
        let bytes: [UInt8]
    }

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SinkKind)? {
        var fields = Fields(node, in: "file", short: "path", context)
        let path = fields.required(
            "path",
            .template(
                "a path", example: "/var/lib/rxwatchd/events.jsonl", mayHoldCredential: true, pattern: "^/",
                templatePattern: "^/"))
        let format = fields.optional("format", .template(example: "\"{{.path}} changed\""))
        let mode = fields.optional("mode", .fileMode) ?? 0o640
        let rules = QueuePolicy.read(&fields, hasOverlap: false)
        let settings = SinkSettings.read(&fields)
        if let path, !path.isAbsolute {
            let subject = path.constant.map { "'\($0)'" } ?? "the path"
            context.report.add(
                "\(subject) is relative to a directory that the daemon may not have; begin it with a '/'",
                at: fields.valueLocation(of: "path"))
        }
        guard fields.finish(), let path else { return nil }
        return FileSink(path: path, format: format, mode: mode, rules: rules, settings: settings)
    }

    func open(in context: SinkContext) -> any OpenSink {
        let files = FileAppenders(mode: mode)
        let failures = LineFailures(context)
        let (batches, key) = (context.host.batches, context.key)
        let queue = SinkQueue(context, rules, most: Self.mostAtOnce, blocks: true) { event in
            Line(
                path: try files.checked(path.render(event, refusesNull: true)),
                bytes: try format.map { Array(try $0.render(event).utf8) } ?? event.value.bytes)
        } workOff: { batch, lines, _ in
            for (path, lines) in (batches?.begin(batch, lines, of: key) ?? lines).split(by: \.job.path) {
                files[path].append(
                    lines.lazy.map(\.job.bytes), failures, unless: { batch.isCancelled },
                    willWrite: { place, rest in
                        // A kill repeats a single line at most.
                        guard let batches, batch.count > 1 else { return }
                        let lines = lines[rest].lazy.map { (place: $0.place, bytes: $0.job.bytes) }
                        batches.store(lines, of: batch, at: place, in: path, key)
                    },
                    wrote: { batches?.wrote($0, of: key) },
                    refused: { index, error in
                        let place = lines[index].place
                        if let error { batch.fail(place, error) } else { batch.giveBack(place) }
                    })
            }
            return .empty()
        }
        return OpenLineSink(queue, failures)
    }
}

extension Array {
    /// The elements in their order, those that follow one another and have this in common together.
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
    /// Whether it begins with a '/', whatever the event.
    fileprivate var isAbsolute: Bool {
        if case .text(let text)? = parts.first { text.hasPrefix("/") } else { false }
    }
}

/// The files of one sink. Where the path is the same for all events there is one.
private final class FileAppenders: Sendable {
    /// How many stay open.
    private static let most = 16

    private let mode: UInt32
    /// The last to be used is the last.
    private let files = Locked<[FileAppender]>([])

    init(mode: UInt32) {
        self.mode = mode
    }

    subscript(path: String) -> FileAppender {
        let new = FileAppender(path, mode: mode)
        let (file, _) = files.withLock { files -> (FileAppender, FileAppender?) in
            let place = files.lastIndex { $0.path == path }
            let file = place.map { files.remove(at: $0) } ?? new
            // Handed out, to be closed outside the lock.
            let oldest = files.count == Self.most ? files.removeFirst() : nil
            files.append(file)
            return (file, oldest)
        }
        return file
    }

    /// The path, where it leads to where the config says: what an event has in it must not lead out of there.
    func checked(_ path: String) throws(FilePathError) -> String {
        let isSound =
            !path.utf8.contains(0)
            && !path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
        if isSound { return path }
        throw FilePathError(path: path)
    }
}

/// A path that an event has made, and that is refused.
private struct FilePathError: Error, CustomStringConvertible {
    let path: String

    var description: String { "'\(path.shortened)' is refused: a path must not have '..' or a NUL in it" }
}

extension FileAppender {
    /// Appends lines.
    ///
    /// - Parameters:
    ///   - isCancelled: whether nothing may be written any more.
    ///   - willWrite: called before each write, with its place and the indices of its lines.
    ///   - wrote: called after that with the number of lines that were written, if it was not all of them.
    ///   - refused: called with the index of each line that the file refuses, and why; without a reason for those that
    ///     were not written since that is cancelled.
    fileprivate func append<Lines: Collection<[UInt8]>>(
        _ lines: Lines, _ failures: LineFailures, unless isCancelled: () -> Bool,
        willWrite: (AppendPlace, Range<Lines.Index>) -> Void, wrote: (Int) -> Void,
        refused: (Lines.Index, SystemError?) -> Void
    ) {
        var rest = lines[...]
        var hasRefused = false
        while !rest.isEmpty {
            // Where many may be refused, it is not said of all of them each time that they are about to be written.
            let part = hasRefused ? rest.prefix(1) : rest
            var isAnnounced = false
            let (count, error) = append(part, unless: isCancelled) { place in
                isAnnounced = true
                willWrite(place, part.startIndex..<part.endIndex)
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
