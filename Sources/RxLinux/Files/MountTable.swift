import Dispatch
import Glibc
import RxEngine

/// A mounted file system.
struct Mount: Hashable {
    /// The kernel's number of the mount.
    let number: [UInt8]
    /// The number of the device.
    let device: [UInt8]
    /// The mount point, without symbolic links.
    let point: BytePath
    /// The file system's type, such as `ext4` or `fuse.sshfs`.
    let type: String

    /// Parses a line of `mountinfo`; `nil` if it is malformed.
    init?(line: ArraySlice<UInt8>) {
        let fields = line.split(separator: 0x20, omittingEmptySubsequences: false)
        // The number of optional fields before the separator `-` varies.
        guard fields.count > 4, let end = fields[5...].firstIndex(of: [UInt8(ascii: "-")]), end + 1 < fields.count
        else {
            return nil
        }
        (number, device) = (Array(fields[0]), Array(fields[2]))
        point = BytePath(bytes: Self.unescaped(fields[4]))
        type = String(decoding: fields[end + 1], as: UTF8.self)
    }

    /// Decodes white space and backslashes, which are written as a backslash and three octal digits.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) })
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }))
            rest = rest.dropFirst(3)
        }
        return bytes
    }
}

// Unchecked: used only on its queue.
/// The mounted file systems, watched for mounts and unmounts, which inotify does not report.
final class MountTable: @unchecked Sendable {
    /// The delay between a change and reading the table, since changes often come in groups.
    private static let pause = Duration.milliseconds(20)
    private static let path = "/proc/self/mountinfo"

    private(set) var mounts: Set<Mount> = []
    private let alarm: OneShotTimer
    private var watch: ChangingDescriptor?
    /// For ``update()``: the kernel reports a change once to each open file.
    private let probe: Descriptor
    private let onChange: @Sendable (Set<Mount>) -> Void

    /// Starts watching; `nil` if the system does not allow it. `onChange` is called on `queue` with the mounts that
    /// were added or removed.
    init?(on queue: DispatchQueue, onChange: @escaping @Sendable (Set<Mount>) -> Void) {
        guard let file = try? Self.open(), let probe = try? Self.open() else { return nil }
        alarm = OneShotTimer(on: queue)
        self.probe = probe
        self.onChange = onChange
        watch = ChangingDescriptor(file.release(), on: queue) { [weak self] in
            self?.alarm.set(after: Self.pause) { [weak self] in
                // Wait again before reading: a change between the two is then reported, and none is lost.
                self?.watch?.waitAgain()
                self?.refresh()
            }
        }
        mounts = Self.read()
    }

    private static func open() throws(SystemError) -> Descriptor {
        try Descriptor(Glibc.open(path, O_RDONLY | O_CLOEXEC), "reading the mount table")
    }

    deinit {
        alarm.cancel()
        watch?.dispose()
    }

    /// Reads the current mounts.
    static func read() -> Set<Mount> {
        let lines = KernelFile.bytes(of: path).split(separator: UInt8(ascii: "\n"))
        return Set(lines.compactMap { Mount(line: $0) })
    }

    /// Reports a change at once, without the delay. Costs one system call if there is none.
    func update() {
        var change = pollfd(fd: probe.number, events: Int16(POLLPRI), revents: 0)
        if poll(&change, 1, 0) > 0 { refresh() }
    }

    /// Reads the mounts again, and reports those that were added or removed.
    private func refresh() {
        let before = mounts
        mounts = Self.read()
        let changed = before.symmetricDifference(mounts)
        if !changed.isEmpty { onChange(changed) }
    }
}
