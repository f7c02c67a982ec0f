import Dispatch
import Glibc
import RxEngine

/// Something that is mounted.
struct Mount: Hashable {
    /// The kernel's number for it.
    let number: [UInt8]
    /// Where it is, without symbolic links.
    let point: BytePath
    /// The file system's type, such as `ext4` or `fuse.sshfs`.
    let type: String

    /// What one line of `mountinfo` says; `nil` where that makes no sense.
    init?(line: ArraySlice<UInt8>) {
        let fields = line.split(separator: 0x20, omittingEmptySubsequences: false)
        // How many there are before the one that parts them is up to the kernel.
        guard fields.count > 4, let end = fields[5...].firstIndex(of: [UInt8(ascii: "-")]), end + 1 < fields.count
        else {
            return nil
        }
        number = Array(fields[0])
        point = BytePath(bytes: Self.unescaped(fields[4]))
        type = String(decoding: fields[end + 1], as: UTF8.self)
    }

    /// White space and backslashes are written as three octal digits.
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

// Unchecked: used on its queue alone.
/// What is mounted, and where: of what comes over a directory, or goes from there, no watch tells.
final class MountTable: @unchecked Sendable {
    /// How soon after a change it is looked at: there may be many in a row.
    private static let pause = Duration.milliseconds(20)
    private static let path = "/proc/self/mountinfo"

    private(set) var mounts: Set<Mount> = []
    private let alarm: Alarm
    private var watch: ChangingDescriptor?

    /// Begins to watch; `nil` where the system does not allow it. `onChange` is told what has come and gone, on
    /// `queue`.
    init?(on queue: DispatchQueue, onChange: @escaping @Sendable (Set<Mount>) -> Void) {
        alarm = Alarm(on: queue)
        let file = try? Descriptor(open(Self.path, O_RDONLY | O_CLOEXEC), "looking at what is mounted").release()
        guard let file else { return nil }
        watch = ChangingDescriptor(file, on: queue) { [weak self] in
            self?.alarm.set(after: Self.pause) { [weak self] in
                // First: by beginning to wait, what changed before is no news to the kernel.
                self?.watch?.waitAgain()
                guard let changed = self?.look(), !changed.isEmpty else { return }
                onChange(changed)
            }
        }
        _ = look()
    }

    deinit {
        alarm.cancel()
        watch?.dispose()
    }

    /// - Returns: what has come and gone.
    private func look() -> Set<Mount> {
        let lines = FileWatcherCore.contents(of: Self.path).split(separator: UInt8(ascii: "\n"))
        let now = Set(lines.compactMap { Mount(line: $0) })
        defer { mounts = now }
        return mounts.symmetricDifference(now)
    }
}
