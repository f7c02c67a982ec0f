import Glibc

/// A file beside the saved snapshot with the changes that were emitted since the snapshot was saved.
///
/// A change is appended before it is emitted. So the next process knows all changes that this one has emitted, even if
/// this one is killed: it can emit the removal of a file whose creation was emitted. Each snapshot has a journal with
/// its number; the journal is deleted when the next snapshot has replaced this one. A process begins a journal before
/// it saves its first snapshot: that journal follows the snapshot of the previous process.
struct ChangeJournal {
    /// A change that was recorded, with the file that it left at the path.
    struct Entry {
        /// The log that contains the change.
        let log: UInt64
        let entry: FileLog.Entry
        /// The file at the path after the change.
        let identity: FileIdentity?
    }

    /// The number of the snapshot that the journal follows.
    private(set) var number: UInt64
    /// Whether that snapshot has replaced the one before.
    private var isPlaced = false
    /// The number of the oldest journal that may still exist.
    private var first: UInt64
    /// The journal's descriptor; -1 if it cannot be written.
    private var file: Int32 = -1
    private var offset: UInt64 = 0
    private let path: BytePath

    /// The size from which a journal gets no more changes: no snapshot was saved for a long time.
    private static let maximumBytes: UInt64 = 64 << 20
    private static let maximumBytesOfEntry: UInt64 = 1 << 20
    private static let headSize = UInt64(2 * MemoryLayout<UInt64>.size)

    /// Begins the first journal of this process beside a snapshot.
    init(beside path: BytePath) {
        self.path = path
        let numbers = Self.numbers(beside: path)
        first = numbers.min() ?? 1
        number = numbers.max() ?? 0
        begin()
    }

    /// Whether the journal has all changes that were emitted.
    var isWhole: Bool { file >= 0 }

    /// Begins the journal of the next snapshot. If the previous snapshot was never put in place, the journal continues.
    mutating func beginNext() {
        if isPlaced { begin() }
    }

    private mutating func begin() {
        end()
        isPlaced = false
        number += 1
        offset = 0
        let path = Self.file(number, beside: path)
        _ = path.withCString { unlink($0) }
        file = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    }

    /// Closes the file.
    mutating func end() {
        if file >= 0 { close(file) }
        file = -1
    }

    /// Deletes the journals of earlier snapshots, after the snapshot has replaced them.
    mutating func snapshotIsPlaced() {
        isPlaced = true
        while first < number {
            _ = Self.file(first, beside: path).withCString { unlink($0) }
            first += 1
        }
    }

    /// Appends a change before it is emitted.
    mutating func add(_ entry: Entry) {
        guard file >= 0 else { return }
        guard offset < Self.maximumBytes else { return end() }
        var writer = WatchSnapshotWriter(file, from: offset + Self.headSize)
        writer.put(entry.log)
        entry.entry.write(to: &writer)
        writer.put(entry.identity) { $0.put(raw: [$1]) }
        let isWritten: Void? = try? writer.finish()
        // Write the head last, so that it never describes bytes that are missing.
        let head = [writer.length, writer.checksum.value]
        let count = head.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
        guard isWritten != nil, count == Int(Self.headSize) else { return end() }
        offset += Self.headSize + writer.length
    }

    // MARK: the next process

    /// Returns the entries of the journals beside a snapshot, from the journal with this number on; no more than a
    /// snapshot may have bytes.
    static func entries(beside path: BytePath, from number: UInt64) -> [Entry] {
        var left = WatchSnapshot.maximumBytes
        return numbers(beside: path).filter { $0 >= number }.sorted().flatMap {
            entries(of: file($0, beside: path), &left)
        }
    }

    private static func entries(of path: BytePath, _ left: inout UInt64) -> [Entry] {
        let number = path.withCString { open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard let file = try? Descriptor(number, "reading \(path)") else { return [] }
        var entries: [Entry] = []
        var offset: UInt64 = 0
        while offset < maximumBytes, left > 0, let bytes = bytes(of: file.number, at: offset) {
            var reader = WatchSnapshotReader(bytes)
            guard let entry = try? Entry(from: &reader) else { break }
            entries.append(entry)
            offset += headSize + UInt64(bytes.count)
            left -= min(left, headSize + UInt64(bytes.count))
        }
        return entries
    }

    private static func bytes(of file: Int32, at offset: UInt64) -> [UInt8]? {
        var head: [UInt64] = [0, 0]
        let count = head.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(offset)) }
        guard count == Int(headSize), head[0] > 0, head[0] <= maximumBytesOfEntry else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(head[0]))
        guard pread(file, &bytes, bytes.count, off_t(offset + headSize)) == bytes.count else { return nil }
        var checksum = WatchSnapshotChecksum()
        bytes.withUnsafeBytes { checksum.add($0) }
        return checksum.value == head[1] ? bytes : nil
    }

    /// The journals beside a snapshot.
    static func files(beside path: BytePath) -> [BytePath] { numbers(beside: path).map { file($0, beside: path) } }

    private static func file(_ number: UInt64, beside path: BytePath) -> BytePath {
        BytePath(bytes: path.bytes + Array(".changes.\(number)".utf8))
    }

    private static func numbers(beside path: BytePath) -> [UInt64] {
        let prefix = path.name.bytes + Array(".changes.".utf8)
        return path.parent.entries.filter { $0.starts(with: prefix) }.compactMap { name in
            UInt64(String(decoding: name[prefix.count...], as: UTF8.self)).flatMap { $0 < .max ? $0 : nil }
        }
    }
}

extension ChangeJournal.Entry {
    fileprivate init(from snapshot: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption) {
        log = try snapshot.integer()
        entry = try FileLog.Entry(from: &snapshot)
        identity = try snapshot.optional { t throws(WatchSnapshotReader.Corruption) in try t.raw(1)[0] }
    }
}

extension FileWatcherCore {
    /// Applies the changes that the previous process emitted after it saved its snapshot.
    func applyJournal(from number: UInt64, to previousRuns: inout [FileHandoverState.RunState]) {
        guard number > 0, let path = handoverState.path else { return }
        let entries = Dictionary(grouping: ChangeJournal.entries(beside: path, from: number), by: \.log)
        for index in previousRuns.indices {
            guard let log = previousRuns[index].log else { continue }
            let later = entries[log.id, default: []].filter { $0.entry.number > log.last }
            if !later.isEmpty { previousRuns[index].apply(later) }
        }
    }
}

extension FileHandoverState.RunState {
    /// Brings the trees to the state that was emitted when the process died: reverts the changes that were pending when
    /// the snapshot was saved, and applies those that were emitted since.
    ///
    /// A comparison of the trees with the files then finds the changes that were pending at either time. It cannot find
    /// a change of attributes, which therefore stays pending.
    fileprivate mutating func apply(_ emitted: [ChangeJournal.Entry]) {
        for root in roots { root.revert(pending) }
        for entry in emitted {
            log?.restore(entry.entry)
            for root in roots { root.apply(entry.entry.change, entry.identity) }
        }
        let others = pending.filter { $0.kind != .attributes && $0.kind != .closed } + emitted.map(\.entry.change)
        let paths = Set(others.flatMap { [$0.path, $0.from].compactMap(\.self) })
        pending = pending.filter { $0.kind == .attributes && !paths.contains($0.path) }
        forgetWatches()
    }
}
