/// A position in the changes of a subscriber of ``FileWatcher/readings(_:after:limit:barriers:onArmed:onNotice:)``.
public struct FilePosition: Sendable, Hashable {
    /// Identifies the log, also in the next process.
    public let log: UInt64
    /// The number of the last change, from 1.
    public let number: UInt64

    /// Restores a stored position.
    public init(log: UInt64, number: UInt64) {
        self.log = log
        self.number = number
    }
}

/// An element for a subscriber that stores its position.
public enum FileReading: Sendable {
    /// The first element: changes follow this position.
    case started(FilePosition)
    /// A change. Its name is the same if the next process finds the change again. The change counts as processed when
    /// the subscriber releases the slot.
    case change(FileChange, name: String, FilePosition, FileSlot?)
    /// Changes are no longer emitted, since the subscriber has this many unprocessed ones. When it has processed half
    /// of them, a comparison finds the later changes.
    case suspended(Int)
    /// All changes that the previous process may have emitted were emitted. Emitted once.
    case caughtUp
    /// All changes up to the moment when the barrier was passed were emitted.
    case barrier(SyncBarrier)
}

/// The changes that a subscriber has received and not acknowledged. The next process emits them again.
struct FileLog {
    /// A change in the log, with its number.
    struct Entry {
        let number: UInt64
        let name: String
        let change: FileChange
    }

    /// Identifies the log, also in the next process.
    let id: UInt64
    /// The number of the last change.
    private(set) var last: UInt64 = 0
    /// The entries, in order.
    private(set) var all: Queue<Entry> = []
    /// The sum of the weights of the entries.
    private var weight = 0
    /// The latest names, and how often each was given: two changes of a file within one tick of its file system's clock
    /// would have the same name.
    private var names: [String: Int] = [:]

    /// The largest weight of the entries; beyond it, the oldest is dropped. A subscriber that acknowledges changes is
    /// suspended instead.
    static let maximum = 100_000
    /// The longest time that a full log waits for an acknowledgement.
    static let acknowledgeTimeout = Duration.seconds(30)
    private static let maximumNames = 1000
    /// Whether the subscriber stores its position.
    private(set) var isAcknowledged = false

    init(id: UInt64 = .random(in: 1 ... .max)) {
        self.id = id
    }

    var position: FilePosition { FilePosition(log: id, number: last) }
    /// Whether a further change would drop one that the next process may have to emit.
    var isFull: Bool { isAcknowledged && weight >= Self.maximum }
    var isHalfFree: Bool { !isAcknowledged || weight <= Self.maximum / 2 }

    /// Adds a change.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - identity: a name that identifies the change, in every process if possible.
    /// - Returns: the new entry.
    mutating func add(_ change: FileChange, identity: String) -> Entry {
        last += 1
        let entry = Entry(number: last, name: unique(identity), change: change)
        append(entry)
        return entry
    }

    private mutating func append(_ entry: Entry) {
        all.append(entry)
        weight += entry.change.weight
        while weight > Self.maximum, all.count > 1 { dropFirst() }
    }

    private mutating func unique(_ name: String) -> String {
        if names.count >= Self.maximumNames { names = [:] }
        let count = names[name, default: 0]
        names[name] = count + 1
        return count == 0 ? name : "\(name):\(count)"
    }

    /// Removes the changes up to a number, which the subscriber has stored as its position.
    mutating func acknowledge(upTo number: UInt64) {
        isAcknowledged = true
        forget(upTo: number)
    }

    /// Stops waiting for acknowledgements, after a long time without one: a full log then drops its oldest changes.
    mutating func giveUp() {
        isAcknowledged = false
    }

    /// Removes the changes up to a number.
    mutating func forget(upTo number: UInt64) {
        while let first = all.first, first.number <= number { dropFirst() }
    }

    /// Makes the numbers of later changes follow this one.
    mutating func advance(to number: UInt64) {
        last = max(last, number)
    }

    private mutating func dropFirst() {
        weight -= all.popFirst()?.change.weight ?? 0
    }

    // MARK: snapshot

    func write(to snapshot: inout WatchSnapshotWriter) {
        snapshot.put(id)
        snapshot.put(last)
        snapshot.put(each: all) { $1.write(to: &$0) }
    }

    init(from snapshot: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption) {
        id = try snapshot.integer()
        last = try snapshot.integer()
        let entries = try snapshot.list { t throws(WatchSnapshotReader.Corruption) in
            try Entry(from: &t)
        }
        all = Queue(entries)
        for entry in entries { names[entry.name] = 1 }
        weight = entries.reduce(0) { $0 + $1.change.weight }
    }

    /// Adds a change that was emitted after the snapshot was written.
    mutating func restore(_ entry: Entry) {
        last = entry.number
        append(entry)
        names[entry.name] = 1
    }
}

extension FileLog.Entry {
    func write(to snapshot: inout WatchSnapshotWriter) {
        snapshot.put(number)
        snapshot.put(Array(name.utf8))
        change.write(to: &snapshot)
    }

    init(from snapshot: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption) {
        number = try snapshot.integer()
        name = String(decoding: try snapshot.bytes(), as: UTF8.self)
        change = try FileChange(from: &snapshot)
    }
}

extension FileChange {
    /// Returns a name that identifies the change in every process that finds it; `nil` for other kinds than creations
    /// and modifications, which only a log can repeat.
    ///
    /// The name of a creation is different each time that the file is moved to the path; that of a modification is
    /// different for each modification. A change of the file's attributes alters the name, too, since it looks like a
    /// move away and back.
    func identity(_ status: FileStatus) -> String? {
        guard kind == .created || kind == .modified else { return nil }
        // A link is modified when its target is.
        let identity = kind == .modified ? status.content : status.identity
        let moment = kind == .created && status.birth != 0 ? "\(status.birth)" : "\(identity.size):\(identity.modified)"
        let move = status.moved == 0 ? "" : ":\(status.moved)"
        return "\(kind.rawValue):\(identity.inode):\(moment)\(move):\(path.text)"
    }

    /// Whether the file exists after the change.
    var exists: Bool { kind != .removed && kind != .overflow }

    /// Returns the change with the size and the modification time of the file.
    func withAttributes(of birth: FileStatus?) -> FileChange {
        guard let birth else { return self }
        var change = self
        change.size = isDirectory ? nil : birth.content.size
        change.modified = birth.content.modified
        return change
    }
}
