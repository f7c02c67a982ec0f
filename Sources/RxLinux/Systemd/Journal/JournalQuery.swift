import FoundationEssentials

/// Which entries of which journal to read.
public struct JournalQuery: Sendable, Hashable {
    /// Where the journal is.
    public enum Place: Sendable, Hashable {
        /// This host's own journal, or a namespace of it.
        case system(namespace: String? = nil)
        /// The files in a directory, and in its subdirectories that are named for machines.
        case directory(String)
        /// These files.
        case files([String])
    }

    /// Which entry is the first.
    public enum Start: Sendable, Hashable {
        /// The first that is written from now on.
        case now
        /// The oldest there is.
        case beginning
        /// The last ones there are, so many of them.
        case last(Int)
        /// The one after that with this ``JournalEntry/cursor``; where that has gone, the first that came later.
        case after(cursor: String)
        /// The first that was written at this time or later.
        case since(Date)
    }

    /// Where the journal is.
    public var place: Place
    /// Values that an entry must have: where a field is named several times, any of them.
    public var matches: [JournalField]
    /// Which entry is the first.
    public var start: Start
    /// Whether entries are told as they are written; otherwise the sequence completes with the last there is.
    public var follows: Bool
    /// How many bytes of a value are kept.
    public var valueLimit: Int

    /// The entries of the journal at `place` that match.
    public init(
        _ matches: [JournalField] = [], in place: Place = .system(), from start: Start = .now, follows: Bool = true,
        valueLimit: Int = 64 << 10
    ) {
        self.place = place
        self.matches = matches
        self.start = start
        self.follows = follows
        self.valueLimit = valueLimit
    }
}

/// An entry of a journal.
public struct JournalEntry: Sendable, Hashable {
    /// Its fields. One that was given several times is there as often.
    public var fields: [JournalField]
    /// The names of fields whose value was longer than is kept.
    public var truncated: Set<String>
    /// Stands for the entry's place in the journal. Saved, it is where reading goes on another time.
    public var cursor: String
    /// When journald received it, in microseconds since 1970.
    public var realtime: UInt64
    /// The same on the monotonic clock, in microseconds since boot.
    public var monotonic: UInt64
    /// The boot it was written in, in 32 hexadecimal digits.
    public var boot: String

    /// The value of a field as text, of the first where there are several; `nil` where there is none. What is no UTF-8
    /// shows as U+FFFD.
    public subscript(name: String) -> String? {
        bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value of a field, of the first where there are several; `nil` where there is none.
    public func bytes(of name: String) -> [UInt8]? {
        fields.first { $0.name == name }?.value
    }

    /// When journald received it.
    public var time: Date {
        Date(timeIntervalSince1970: Double(realtime) / 1_000_000)
    }
}
