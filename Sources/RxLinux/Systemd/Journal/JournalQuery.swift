import FoundationEssentials

/// A query for entries of a journal.
public struct JournalQuery: Sendable, Hashable {
    /// The location of a journal.
    public enum Location: Sendable, Hashable, CustomStringConvertible {
        /// This host's journal, or a namespace of it; `*` for all namespaces.
        case system(namespace: String? = nil)
        /// The files in a directory, and in its subdirectories that are named for machines.
        case directory(String)
        /// The journal files at these paths.
        case files([String])

        /// The location in an error message, such as `the journal in '/var/log/journal'`.
        public var description: String {
            switch self {
            case .system(nil), .system("*"): "the journal"
            case .system(let namespace?): "the journal of '\(namespace)'"
            case .directory(let path): "the journal in '\(path)'"
            case .files(let paths): "the journal files \(paths)"
            }
        }

        /// Whether the journal is on a network file system, whose server may not answer.
        var isRemote: Bool {
            let mounts = BlockingMounts.remote()
            return switch self {
            case .system: false
            case .directory(let path): !mounts.touched(by: BytePath(path), recursive: true).isEmpty
            case .files(let paths): paths.contains { !mounts.touched(by: BytePath($0), recursive: false).isEmpty }
            }
        }
    }

    /// The first entry of a query.
    public enum Start: Sendable, Hashable {
        /// The first entry that is written from now on.
        case now
        /// The oldest entry.
        case beginning
        /// The last entries, this many of them.
        case last(Int)
        /// The entry after the one with this ``JournalEntry/cursor``; if that no longer exists, the first later one.
        case after(cursor: String)
        /// The first entry that was written at this time or later.
        case since(Date)
    }

    /// The location of the journal.
    public var location: Location
    /// The values that an entry must have; for a field that is named several times, any of them.
    public var matches: [JournalField]
    /// The first entry.
    public var start: Start
    /// Whether new entries are delivered as they are written; if not, the sequence completes after the last entry.
    public var follows: Bool
    /// The most bytes of a value that are kept.
    public var valueLimit: Int

    /// Creates a query for the entries that match in the journal at `location`.
    public init(
        _ matches: [JournalField] = [], in location: Location = .system(), from start: Start = .now,
        follows: Bool = true,
        valueLimit: Int = 64 << 10
    ) {
        self.location = location
        self.matches = matches
        self.start = start
        self.follows = follows
        self.valueLimit = valueLimit
    }
}

/// An entry of a journal.
public struct JournalEntry: Sendable, Hashable {
    /// The fields. A field that occurs several times is in it as often.
    public var fields: [JournalField]
    /// The names of fields whose value was cut.
    public var truncated: Set<String>
    /// The position of the entry in the journal, from which a later reading can continue.
    public var cursor: String
    /// When journald received the entry, in microseconds since 1970.
    public var realtime: UInt64
    /// When journald received the entry, on the monotonic clock of its boot, in microseconds.
    public var monotonic: UInt64
    /// The ID of the boot in which the entry was written, in 32 hexadecimal digits.
    public var boot: String

    /// The first value of a field as text; `nil` if there is none. Bytes that are not UTF-8 become U+FFFD.
    public subscript(name: String) -> String? {
        bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the first value of a field; `nil` if there is none.
    public func bytes(of name: String) -> [UInt8]? {
        fields.first { $0.name == name }?.value
    }

    /// When journald received it.
    public var time: Date {
        Date(timeIntervalSince1970: Double(realtime) / 1_000_000)
    }
}
