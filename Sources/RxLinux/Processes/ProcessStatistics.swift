import CLinux
import Glibc

/// The kernel resources that this process uses.
public struct ProcessStatistics: Sendable, Hashable {
    /// The resident memory in KiB.
    public let residentKiB: Int
    /// The number of open file descriptors.
    public let descriptors: Int
    /// The number of inotify watches.
    public let watches: Int

    /// Returns the current statistics.
    public static func current() -> ProcessStatistics {
        let descriptors = OpenDescriptors.numbers
        return ProcessStatistics(
            residentKiB: residentKiB(),
            descriptors: descriptors.count,
            watches: watchCount(of: descriptors)
        )
    }

    /// Returns the current number of inotify watches, as the kernel counts them.
    ///
    /// It is right also while watches are being added.
    public static func watchCount() -> Int { watchCount(of: OpenDescriptors.numbers) }

    private static func watchCount(of descriptors: [Int32]) -> Int {
        descriptors.reduce(0) { $0 + watches(of: $1) }
    }

    private static func residentKiB() -> Int {
        let pages =
            KernelFile.text(of: "/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }

    private static func watches(of descriptor: Int32) -> Int {
        guard readLink("/proc/self/fd/\(descriptor)") == "anon_inode:inotify" else { return 0 }
        return KernelFile.text(of: "/proc/self/fdinfo/\(descriptor)").split(separator: "\n").count {
            $0.hasPrefix("inotify wd:")
        }
    }

    private static func readLink(_ path: String) -> String? {
        var target = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &target, target.count)
        return count >= 0 ? String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
