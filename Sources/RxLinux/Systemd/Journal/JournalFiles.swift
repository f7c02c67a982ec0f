import CSystemd
import FoundationEssentials
import Glibc
import RxEngine

// Unchecked: used by one thread at a time, as libsystemd requires.
/// An open journal with a read position.
final class JournalFiles: @unchecked Sendable {
    private let journal: OpaquePointer
    private let valueLimit: Int

    init(_ query: JournalQuery) throws(SystemError) {
        let what = query.location.description
        try DescriptorReserve.check("opening \(what)")
        var journal: OpaquePointer?
        let status =
            switch query.location {
            case .system(let namespace): Self.open(&journal, namespace: namespace)
            case .directory(let path): sd_journal_open_directory(&journal, path, 0)
            case .files(let paths): Self.open(&journal, paths)
            }
        guard status >= 0, let journal else { throw SystemError(-status, "opening \(what)") }
        self.journal = journal
        valueLimit = max(0, query.valueLimit)
        // The size includes the field's name, and one byte more shows that the value was longer.
        sd_journal_set_data_threshold(journal, valueLimit + 1024)
        for match in query.matches {
            let data = Array(match.name.utf8) + [UInt8(ascii: "=")] + match.value
            try check(sd_journal_add_match(journal, data, data.count), "matching \(match.name) in the journal")
        }
        try JournalAccess.check(query.location, isEmpty: isEmpty, what)
    }

    deinit {
        sd_journal_close(journal)
    }

    private static func open(_ journal: inout OpaquePointer?, namespace: String?) -> Int32 {
        let flags = Int32(SD_JOURNAL_LOCAL_ONLY)
        guard let namespace else { return sd_journal_open(&journal, flags) }
        if namespace == "*" {
            return sd_journal_open_namespace(&journal, nil, flags | Int32(SD_JOURNAL_ALL_NAMESPACES))
        }
        return sd_journal_open_namespace(&journal, namespace, flags)
    }

    private static func open(_ journal: inout OpaquePointer?, _ paths: [String]) -> Int32 {
        var texts: [UnsafePointer<CChar>?] = paths.map { UnsafePointer(strdup($0)) } + [nil]
        defer { for text in texts { free(UnsafeMutablePointer(mutating: text)) } }
        return sd_journal_open_files(&journal, &texts, 0)
    }

    private func check(_ status: Int32, _ doing: String) throws(SystemError) {
        if status < 0 { throw SystemError(-status, doing) }
    }

    /// Whether no file could be opened.
    private var isEmpty: Bool {
        var size: UInt64 = 0
        return sd_journal_get_usage(journal, &size) >= 0 && size == 0
    }

    // MARK: Watching

    /// Returns a descriptor that is readable when the journal may have changed after this call.
    func watch() throws(SystemError) -> Descriptor {
        let descriptor = sd_journal_get_fd(journal)
        guard descriptor >= 0 else { throw SystemError(-descriptor, "watching the journal") }
        return try .duplicate(descriptor)
    }

    /// The longest time between two checks if the kernel does not report every change; `nil` if it does.
    var pollInterval: Duration? {
        var deadline: UInt64 = 0
        guard sd_journal_get_timeout(journal, &deadline) >= 0, deadline != .max else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let elapsed = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
        return .microseconds(max(0, Int64(clamping: deadline) - elapsed))
    }

    /// Processes changes: new entries, and files that were added or removed.
    func process() throws(SystemError) {
        try check(sd_journal_process(journal), "watching the journal")
    }

    // MARK: Moving

    /// Moves to the position before the first entry of the query.
    ///
    /// - Returns: whether the entry to start after still exists, if the query names one.
    func seek(_ start: JournalQuery.Start) throws(SystemError) -> Bool {
        let doing = "seeking in the journal"
        switch start {
        case .beginning: try check(sd_journal_seek_head(journal), doing)
        case .now: try seek(last: 0)
        case .last(let count): try seek(last: max(0, count))
        case .since(let date):
            let time = date.timeIntervalSince1970 * 1_000_000
            try check(sd_journal_seek_realtime_usec(journal, time > 0 ? UInt64(min(time, 1e18)) : 0), doing)
        case .after(let cursor):
            try check(sd_journal_seek_cursor(journal, cursor), "looking for the cursor '\(cursor)' in the journal")
            guard try next() else {
                try seek(last: 0)
                return cursor == Self.headCursor
            }
            // The entry itself was delivered earlier; if it no longer exists, this is the first one after it.
            let isItself = sd_journal_test_cursor(journal, cursor)
            try check(isItself, doing)
            guard isItself == 0 else { return true }
            let before = sd_journal_previous(journal)
            try check(before, doing)
            if before == 0 { try check(sd_journal_seek_head(journal), doing) }
            return cursor == Self.headCursor
        }
        return true
    }

    /// A cursor before all entries: it says only that the time is 1970.
    private static let headCursor = "t=0"

    /// The cursor to start after for the position that ``seek(_:)`` has found.
    var cursor: String {
        var text: UnsafeMutablePointer<CChar>?
        guard sd_journal_get_cursor(journal, &text) >= 0, let text else { return Self.headCursor }
        defer { free(text) }
        return String(cString: text)
    }

    private func seek(last count: Int) throws(SystemError) {
        let doing = "looking for the end of the journal"
        try check(sd_journal_seek_tail(journal), doing)
        // libsystemd counts with C's integers.
        let count = min(count, Int(Int32.max) - 1)
        // One more than wanted, so that the next entry is the first of them.
        let skipped = sd_journal_previous_skip(journal, UInt64(count) + 1)
        try check(skipped, doing)
        // There were no more than wanted, so start at the beginning: from the end itself there would be no next entry.
        if Int(skipped) <= count { try check(sd_journal_seek_head(journal), doing) }
    }

    /// Moves to the next entry; returns `false` if there is none.
    func next() throws(SystemError) -> Bool {
        let status = sd_journal_next(journal)
        try check(status, "reading the journal")
        return status > 0
    }

    // MARK: Reading

    /// Returns the entry at the position; `nil` if it no longer exists or cannot be read.
    func entry() throws(SystemError) -> JournalEntry? {
        var (realtime, monotonic, boot) = (UInt64(0), UInt64(0), sd_id128_t())
        guard sd_journal_get_realtime_usec(journal, &realtime) >= 0 else { return nil }
        _ = sd_journal_get_monotonic_usec(journal, &monotonic, &boot)
        var text: UnsafeMutablePointer<CChar>?
        guard sd_journal_get_cursor(journal, &text) >= 0, let text else { return nil }
        defer { free(text) }
        var entry = JournalEntry(
            fields: [], truncated: [], cursor: String(cString: text), realtime: realtime, monotonic: monotonic,
            boot: withUnsafeBytes(of: boot) { Self.hexadecimal($0) })
        var fields = JournalEntryFields(valueLimit: valueLimit)
        sd_journal_restart_data(journal)
        var (data, size): (UnsafeRawPointer?, Int) = (nil, 0)
        // Damaged data is left out: an incomplete entry is better than none.
        while sd_journal_enumerate_available_data(journal, &data, &size) > 0, let data, !fields.isFull {
            fields.add(UnsafeRawBufferPointer(start: data, count: size))
        }
        (entry.fields, entry.truncated) = (fields.list, fields.truncated)
        return entry
    }

    private static func hexadecimal(_ bytes: UnsafeRawBufferPointer) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
