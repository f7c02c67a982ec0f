import Dispatch
import RxEngine
import RxJSON
import RxLinux

/// Stores the lines that file sinks are about to append in one write.
///
/// After a kill, the next process compares them with the files, and leaves out the lines that were written.
///
/// It compares before any sink writes: later, other sinks may have written equal lines at the same position.
package final class FileBatches: Sendable {
    private let store: any BatchStore
    /// The ids of events whose lines previous processes have written, by sink.
    private let written: [String: Set<String>]
    private let running = Locked<[String: RunningBatch]>([:])
    /// The largest number of such ids for a sink: several kills in a row add to them.
    private static let maximumWritten = 4000
    /// How long to wait for the files, since those on a server that does not answer block.
    private static let lookUpTimeout = DispatchTimeInterval.seconds(3)

    /// The running batch of a sink.
    private struct RunningBatch {
        /// The number of stored parts of the batch. They follow the first part, which has the ids of previous
        /// processes.
        var parts = 0
        /// The last part, while it is being written.
        var last: FileBatch?
    }

    /// Looks up the lines that the previous process has written.
    package init(_ store: any BatchStore) {
        self.store = store
        let found = Self.lookUp(store.all())
        // Another kill may come before all of these events have been redelivered.
        store.replaceAll(
            with: found.mapValues { ids in (["written": .array(ids.map { .string($0) })] as JSON).bytes })
        written = found.mapValues { Set($0) }
    }

    /// Compares the stored lines with the files.
    ///
    /// - Returns: the ids of events whose lines are in their files, by sink, as far as the files can be read in time.
    private static func lookUp(_ all: [String: [[UInt8]]]) -> [String: ArraySlice<String>] {
        let parsed = all.mapValues { parts in parts.compactMap { try? JSON(parsing: $0) } }
        let earlier = parsed.mapValues { parts in
            parts.flatMap { $0["written"]?.array?.compactMap { $0.string } ?? [] }
        }
        let found = Locked<[String: [String]]>([:])
        let lookups = DispatchGroup()
        for (sink, batches) in parsed.mapValues({ $0.compactMap { FileBatch($0) } }) where !batches.isEmpty {
            // On another thread: a read of a file on a server that does not answer cannot be cancelled.
            DispatchQueue.global(qos: .userInitiated).async(group: lookups) {
                for batch in batches {
                    let ids = batch.written
                    found.withLock { $0[sink, default: []] += ids }
                }
            }
        }
        _ = lookups.wait(timeout: .now() + lookUpTimeout)
        return earlier.merging(found.withLock { $0 }) { $0 + $1 }
            .compactMapValues { $0.isEmpty ? nil : $0.suffix(maximumWritten) }
    }

    /// Begins a batch. The progress of the sink's previous batch is noted by now, so its parts are obsolete.
    ///
    /// - Returns: the jobs whose lines are not in the file yet. The other jobs are finished.
    func begin<Job>(_ batch: SinkBatch, _ jobs: [SinkJob<Job>], of sink: String) -> [SinkJob<Job>] {
        running.withLock { $0[sink] = RunningBatch() }
        guard let written = written[sink] else { return jobs }
        return jobs.filter { job in
            // A replayed event has the id of the original one, but is written nevertheless.
            guard let event = batch.event(at: job.index), !event.isReplayed, written.contains(event.id)
            else { return true }
            batch.finish(job.index)
            return false
        }
    }

    /// Stores the lines that are about to be written.
    ///
    /// - Parameters:
    ///   - lines: the indices of the lines in the batch, and their bytes.
    ///   - batch: the batch.
    ///   - position: the position in the file.
    ///   - path: the path of the file.
    ///   - sink: the key of the sink.
    func store(
        _ lines: some Sequence<(index: Int, bytes: [UInt8])>, of batch: SinkBatch, at position: AppendPosition,
        in path: String, _ sink: String
    ) {
        let part = FileBatch(
            path: path, position: position,
            lines: lines.map { line in
                let event = batch.event(at: line.index).flatMap { $0.isReplayed ? nil : $0 }
                return FileBatch.Line(id: event?.id ?? "", of: line.bytes)
            })
        let number = running.withLock { running in
            running[sink, default: RunningBatch()].parts += 1
            running[sink]?.last = part
            return running[sink]?.parts ?? 1
        }
        store.store(part.json.bytes, at: number, of: sink)
    }

    /// Corrects the last part: only its first `count` lines were written.
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
    /// A line, with what is needed to find it in the file after a restart.
    struct Line {
        /// The id of the event.
        let id: String
        let length: Int
        let hash: Int
    }

    let path: String
    let position: AppendPosition
    var lines: [Line]

    /// The ids of the events whose lines are completely in the file.
    var written: [String] {
        let found = position.lines(at: BytePath(text: path), lengths: lines.map(\.length)) { Line.hash(of: $0) }
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
        // 53 bits, which JSON represents exactly.
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
        position = AppendPosition(device: device, inode: inode, offset: offset)
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
            "path": .string(path), "device": .string(String(position.device)), "inode": .string(String(position.inode)),
            "offset": .number(Double(position.offset)),
            "lines": .array(
                lines.map { [.string($0.id), .number(Double($0.length)), .number(Double($0.hash))] as JSON }),
        ]
    }
}
