/// A place in what a subscriber of ``FileWatcher/readings(_:after:onArmed:)`` was told.
public struct FilePosition: Sendable, Hashable {
    /// Identifies what was told, also in the next process.
    public let log: UInt64
    /// The number of the last change, from 1.
    public let number: UInt64

    /// A position that was stored.
    public init(log: UInt64, number: UInt64) {
        self.log = log
        self.number = number
    }
}

/// What a subscriber reads that keeps its position.
public enum FileReading: Sendable {
    /// The first: what comes follows this position.
    case started(FilePosition)
    /// A change. The name is the same if the next process finds the change again. As long as the slot is held, the
    /// subscriber has not processed the change.
    case change(FileChange, name: String, FilePosition, FileSlot?)
    /// The subscriber has not processed this many changes. What changes from now on is found by a comparison when it
    /// has processed half of them.
    case suspended(Int)
    /// Everything that the previous process may have told was told. Once.
    case caughtUp
}

/// The changes that a subscriber was told and has not acknowledged. The next process tells them again.
struct FileLog {
    struct Entry {
        let number: UInt64
        let name: String
        let change: FileChange
    }

    /// Identifies the log, also in the next process.
    let id: UInt64
    /// The number of the last change.
    private(set) var last: UInt64 = 0
    /// In order, from ``first`` on.
    private var entries: [Entry] = []
    private var first = 0
    /// The latest names, and how often each was made: what happens to a file twice within the time that its file system
    /// counts in has two names.
    private var names: [String: Int] = [:]

    /// The largest number of entries; the oldest is dropped beyond it. A subscriber that acknowledges is told no more
    /// before that.
    static let most = 100_000
    /// How long a full log waits for the subscriber to acknowledge something.
    static let patience = Duration.seconds(30)
    private static let mostNames = 1000
    /// Whether the subscriber stores its position.
    private(set) var isAcknowledged = false

    init(id: UInt64 = .random(in: 1 ... .max)) {
        self.id = id
    }

    var position: FilePosition { FilePosition(log: id, number: last) }
    var all: ArraySlice<Entry> { entries[first...] }
    /// Whether another change would make the log drop one that the next process may have to tell.
    var isFull: Bool { isAcknowledged && all.count >= Self.most }
    var isHalfFree: Bool { !isAcknowledged || all.count <= Self.most / 2 }

    /// Adds a change.
    ///
    /// - Parameter identity: what identifies the change, if it can, in every process.
    mutating func add(_ change: FileChange, identity: String) -> Entry {
        last += 1
        let entry = Entry(number: last, name: unique(identity), change: change)
        entries.append(entry)
        if entries.count - first > Self.most { drop(1) }
        return entry
    }

    private mutating func unique(_ name: String) -> String {
        if names.count >= Self.mostNames { names = [:] }
        let count = names[name, default: 0]
        names[name] = count + 1
        return count == 0 ? name : "\(name):\(count)"
    }

    /// The subscriber has stored its position.
    mutating func acknowledge(upTo number: UInt64) {
        isAcknowledged = true
        forget(upTo: number)
    }

    /// The subscriber has stored nothing for long: the log drops what does not fit.
    mutating func giveUp() {
        isAcknowledged = false
    }

    /// The subscriber has everything up to this number.
    mutating func forget(upTo number: UInt64) {
        drop(all.prefix { $0.number <= number }.count)
    }

    /// Numbers go on after this one.
    mutating func advance(to number: UInt64) {
        last = max(last, number)
    }

    private mutating func drop(_ count: Int) {
        first += count
        guard first > entries.count / 2 else { return }
        entries.removeFirst(first)
        first = 0
    }

    // MARK: in the snapshot

    func write(to snapshot: inout SnapshotWriter) {
        snapshot.put(id)
        snapshot.put(last)
        snapshot.put(each: all) {
            $0.put($1.number)
            $0.put(Array($1.name.utf8))
            $1.change.write(to: &$0)
        }
    }

    init(from snapshot: inout SnapshotReader) throws(SnapshotReader.Corruption) {
        id = try snapshot.integer()
        last = try snapshot.integer()
        entries = try snapshot.list { t throws(SnapshotReader.Corruption) in
            Entry(
                number: try t.integer(), name: String(decoding: try t.bytes(), as: UTF8.self),
                change: try FileChange(from: &t))
        }
        for entry in entries { names[entry.name] = 1 }
    }
}

extension FileChange {
    /// What identifies the change in every process that finds it: a file is created once, and once more each time that
    /// it is moved there, and after each modification it is another. One whose attributes change is another, too, if a
    /// process finds it again: it cannot be told from one that was moved away and back. `nil` for a change that is told
    /// from the log alone, and for a file that is gone.
    var identity: String? {
        guard kind == .created || kind == .modified, let status = FileBirth(of: path) else { return nil }
        let identity = status.identity
        let moment = kind == .created && status.birth != 0 ? "\(status.birth)" : "\(identity.size):\(identity.modified)"
        let move = status.moved == 0 ? "" : ":\(status.moved)"
        return "\(kind.rawValue):\(identity.inode):\(moment)\(move):\(path)"
    }
}
