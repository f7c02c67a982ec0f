import Dispatch
import RxEngine
import RxJSON
import RxLinux

/// What file sinks are about to append, several lines in one go. It is stored before: of a killed process, the files
/// tell the next one which of the lines were written, and their events are not written again.
///
/// That is looked up before anything is written: later, other sinks may have written the same lines at the same place.
package final class FileBatches: Sendable {
    private let store: any BatchStore
    /// The ids of events whose lines earlier processes have written, by sink.
    private let written: [String: Set<String>]
    private let running = Locked<[String: Running]>([:])
    /// How many of the events are known that earlier processes have written: those of several kills in a row.
    private static let mostWritten = 4000
    /// How long files are waited for, such as those of a server that does not answer.
    private static let patience = DispatchTimeInterval.seconds(3)

    /// The running batch of a sink.
    private struct Running {
        /// How many parts of it are stored. The first place has what earlier processes have written.
        var parts = 0
        /// The last of them, while it is being written.
        var last: FileBatch?
    }

    /// Looks up what the previous process has written.
    package init(_ store: any BatchStore) {
        self.store = store
        let found = Self.lookUp(store.all())
        // For the case of another kill before all of them have come again.
        store.replaceAll(
            with: found.mapValues { ids in (["written": .array(ids.map { .string($0) })] as JSON).bytes })
        written = found.mapValues { Set($0) }
    }

    /// - Returns: the ids of events whose lines are in their files, by sink, as far as that is known in time.
    private static func lookUp(_ all: [String: [[UInt8]]]) -> [String: ArraySlice<String>] {
        let parsed = all.mapValues { parts in parts.compactMap { try? JSON(parsing: $0) } }
        let earlier = parsed.mapValues { parts in
            parts.flatMap { $0["written"]?.array?.compactMap { $0.string } ?? [] }
        }
        let found = Locked<[String: [String]]>([:])
        let lookups = DispatchGroup()
        for (sink, batches) in parsed.mapValues({ $0.compactMap { FileBatch($0) } }) where !batches.isEmpty {
            // Nobody can end a thread that waits for a file.
            DispatchQueue.global(qos: .userInitiated).async(group: lookups) {
                for batch in batches {
                    let ids = batch.written
                    found.withLock { $0[sink, default: []] += ids }
                }
            }
        }
        _ = lookups.wait(timeout: .now() + patience)
        return earlier.merging(found.withLock { $0 }) { $0 + $1 }
            .compactMapValues { $0.isEmpty ? nil : $0.suffix(mostWritten) }
    }

    /// Begins a batch: everything that was stored of the sink's last one is noted by now.
    ///
    /// - Returns: the jobs whose lines are not written yet. The others are finished.
    func begin<Job>(_ batch: SinkBatch, _ jobs: [SinkJob<Job>], of sink: String) -> [SinkJob<Job>] {
        running.withLock { $0[sink] = Running() }
        guard let written = written[sink] else { return jobs }
        return jobs.filter { job in
            // A replay has the id of the event, and is written all the same.
            guard let event = batch.event(at: job.place), !event.isReplayed, written.contains(event.id)
            else { return true }
            batch.finish(job.place)
            return false
        }
    }

    /// Stores that lines are about to be written.
    ///
    /// - Parameter lines: the lines' places in the batch, and their bytes.
    func store(
        _ lines: some Sequence<(place: Int, bytes: [UInt8])>, of batch: SinkBatch, at place: AppendPlace,
        in path: String, _ sink: String
    ) {
        let part = FileBatch(
            path: path, place: place,
            lines: lines.map { line in
                let event = batch.event(at: line.place).flatMap { $0.isReplayed ? nil : $0 }
                return FileBatch.Line(id: event?.id ?? "", of: line.bytes)
            })
        let number = running.withLock { running in
            running[sink, default: Running()].parts += 1
            running[sink]?.last = part
            return running[sink]?.parts ?? 1
        }
        store.store(part.json.bytes, at: number, of: sink)
    }

    /// Of the lines that were stored last, only the first were written.
    func wrote(_ count: Int, of sink: String) {
        let (number, part) = running.withLock { running -> (Int, FileBatch?) in
            guard let number = running[sink]?.parts, var part = running[sink]?.last else { return (0, nil) }
            part.lines = Array(part.lines.prefix(count))
            running[sink]?.last = nil
            if count == 0 { running[sink]?.parts -= 1 }
            return (number, part)
        }
        if let part { store.store(count == 0 ? nil : part.json.bytes, at: number, of: sink) }
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
    var lines: [Line]

    /// The ids of the events whose lines are in the file. A line that was written in part is not.
    var written: [String] {
        let found = place.lines(at: path, lengths: lines.map(\.length)) { Line.hash(of: $0) }
        return zip(lines, found).prefix { $0.hash == $1 }.map(\.0.id).filter { !$0.isEmpty }
    }
}

extension FileBatch.Line {
    init(id: String, of bytes: [UInt8]) {
        self.init(id: id, length: bytes.count, hash: Self.hash(of: bytes))
    }

    static func hash(of bytes: some Sequence<UInt8>) -> Int {
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
