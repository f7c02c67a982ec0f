import Glibc

/// What the kernel says this process holds.
public struct ProcessStatistics: Sendable, Hashable {
    /// Resident memory, in KiB.
    public let residentKiB: Int
    /// Open file descriptors.
    public let descriptors: Int
    /// Inotify watches.
    public let watches: Int

    /// The numbers of this moment.
    public static func current() -> ProcessStatistics {
        let descriptors = openDescriptors()
        return ProcessStatistics(
            residentKiB: residentKiB(),
            descriptors: descriptors.count,
            watches: descriptors.reduce(0) { $0 + watches(of: $1) }
        )
    }

    private static func residentKiB() -> Int {
        let pages = text(of: "/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }

    private static func watches(of descriptor: String) -> Int {
        guard readLink("/proc/self/fd/\(descriptor)") == "anon_inode:inotify" else { return 0 }
        return text(of: "/proc/self/fdinfo/\(descriptor)").split(separator: "\n").count { $0.hasPrefix("inotify wd:") }
    }

    /// The names of the open descriptors, but for the one that lists them.
    private static func openDescriptors() -> [String] {
        guard let stream = opendir("/proc/self/fd") else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if Int(name).map({ $0 != dirfd(stream) }) == true { names.append(name) }
        }
        return names
    }

    private static func readLink(_ path: String) -> String? {
        var target = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &target, target.count)
        return count >= 0 ? String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    private static func text(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &block, block.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += block[..<count]
        }
    }
}
