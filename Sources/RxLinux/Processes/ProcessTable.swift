import Glibc
import RxEngine

/// A snapshot of the processes that this process can see.
struct ProcessTable: Sendable {
    /// A process.
    struct Entry: Hashable, Sendable {
        let number: pid_t
        let parent: pid_t
        let session: pid_t
        /// The process's start, in clock ticks since boot.
        let started: UInt64
        /// Whether the process has ended and is not reaped.
        let isZombie: Bool
    }

    let entries: [Entry]

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// Reads the current processes.
    static func current() -> ProcessTable {
        guard let stream = opendir("/proc") else { return ProcessTable([]) }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let item = readdir(stream) {
            let number = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
                pid_t(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
            }
            if let number, let entry = entry(of: number) { entries.append(entry) }
        }
        return ProcessTable(entries)
    }

    private static let latest = Locked<(began: SuspendingClock.Instant, table: ProcessTable)?>(nil)

    /// Returns a table read after this call began. All callers that arrive during one read share the next one.
    static func shared() -> ProcessTable {
        let asked = SuspendingClock.now
        return latest.withLock { latest in
            if let latest, latest.began >= asked { return latest.table }
            let began = SuspendingClock.now
            let table = current()
            latest = (began, table)
            return table
        }
    }

    /// Returns the process with this number; `nil` if there is none.
    static func entry(of number: pid_t) -> Entry? {
        Entry(stat: KernelFile.text(of: "/proc/\(number)/stat"))
    }

    /// Returns the current time in clock ticks since boot, as in ``Entry/started``.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let ticks = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
        return UInt64(time.tv_sec) * ticks + UInt64(time.tv_nsec) * ticks / 1_000_000_000
    }
}

extension ProcessTable.Entry {
    /// Parses `/proc/NUMBER/stat`. The process's name, in parentheses, may contain any characters.
    init?(stat: String) {
        guard let end = stat.lastIndex(of: ")"), let number = stat.split(separator: " ").first.flatMap({ pid_t($0) })
        else { return nil }
        let fields = stat[end...].dropFirst().split(separator: " ")
        guard fields.count > 19, let parent = pid_t(fields[1]), let session = pid_t(fields[3]),
            let started = UInt64(fields[19])
        else { return nil }
        self.init(
            number: number, parent: parent, session: session, started: started,
            isZombie: fields[0] == "Z" || fields[0] == "X")
    }
}
