import RxEngine
import RxJSON
import RxLinux

/// What a file sink is about to append, several lines in one go. It is stored before: of a killed process, the files
/// tell the next one which of the lines were written, and their events are not written again.
final class FileBatches: Sendable {
    private let store: any BatchStore
    private let sink: String
    private let state = Locked(State())
    /// How many of the events are known that earlier processes have written: those of several kills in a row.
    private static let mostWritten = 4000

    private struct State {
        /// The ids of events whose lines an earlier process has written; `nil` if that is not read yet.
        var written: Set<String>?
        /// The number of parts of the running batch. The first place has what earlier processes have written.
        var parts = 0
    }

    init(_ store: any BatchStore, of sink: String) {
        self.store = store
        self.sink = sink
    }

    /// Begins a batch: everything that was stored of the last one is noted by now.
    ///
    /// - Returns: the jobs whose lines are not written yet. The others are finished.
    func begin<Job>(_ batch: SinkBatch, _ jobs: [SinkJob<Job>]) -> [SinkJob<Job>] {
        let written = state.withLock { state in
            state.parts = 0
            let written = state.written ?? readWritten()
            state.written = written
            return written
        }
        if written.isEmpty { return jobs }
        return jobs.filter { job in
            guard let id = batch.id(at: job.place), written.contains(id) else { return true }
            batch.finish(job.place)
            return false
        }
    }

    /// Stores that lines are about to be written.
    func store(_ lines: some Sequence<(id: String, bytes: [UInt8])>, at place: AppendPlace, in path: String) {
        let part = FileBatch(path: path, place: place, lines: lines.map { FileBatch.Line(id: $0.id, of: $0.bytes) })
        let number = state.withLock { state in
            state.parts += 1
            return state.parts
        }
        store.store(part.json.bytes, at: number, of: sink)
    }

    private func readWritten() -> Set<String> {
        let parts = store.parts(of: sink).compactMap { try? JSON(parsing: $0) }
        let written = parts.flatMap { part in
            part["written"]?.array?.compactMap { $0.string } ?? FileBatch(part)?.written ?? []
        }
        if written.isEmpty { return [] }
        let latest = written.suffix(Self.mostWritten)
        let part: JSON = ["written": .array(latest.map { .string($0) })]
        store.store(part.bytes, at: 0, of: sink)
        return Set(latest)
    }
}

/// Lines that are about to be appended to one file.
private struct FileBatch {
    struct Line {
        /// The id of the event.
        let id: String
        let length: Int
        let hash: Int
    }

    let path: String
    let place: AppendPlace
    let lines: [Line]

    /// The ids of the events whose lines are in the file. A line that was written in part is not.
    var written: [String] {
        let found = place.lines(at: path, lengths: lines.map(\.length)) { Line.hash(of: $0) }
        return zip(lines, found).prefix { $0.hash == $1 }.map(\.0.id)
    }
}

extension FileBatch.Line {
    init(id: String, of bytes: [UInt8]) {
        self.init(id: id, length: bytes.count, hash: Self.hash(of: bytes))
    }

    static func hash(of bytes: [UInt8]) -> Int {
        var hash = StableHash()
        hash.add(bytes)
        // A number that JSON keeps.
        return Int(hash.value >> 11)
    }
}

extension FileBatch {
    init?(_ json: JSON) {
        guard let path = json["path"]?.string,
            let device = json["device"]?.string.flatMap({ UInt64($0) }),
            let inode = json["inode"]?.string.flatMap({ UInt64($0) }),
            let offset = json["offset"]?.number.flatMap({ Int64(exactly: $0) }), let lines = json["lines"]?.array
        else { return nil }
        self.path = path
        place = AppendPlace(device: device, inode: inode, offset: offset)
        self.lines = lines.compactMap { line in
            guard let id = line[0]?.string, let length = line[1]?.number.flatMap({ Int(exactly: $0) }),
                let hash = line[2]?.number.flatMap({ Int(exactly: $0) })
            else { return nil }
            return Line(id: id, length: length, hash: hash)
        }
        guard self.lines.count == lines.count else { return nil }
    }

    var json: JSON {
        [
            "path": .string(path), "device": .string(String(place.device)), "inode": .string(String(place.inode)),
            "offset": .number(Double(place.offset)),
            "lines": .array(
                lines.map { [.string($0.id), .number(Double($0.length)), .number(Double($0.hash))] as JSON }),
        ]
    }
}
