/// The memory limit of this process's control group.
public enum MemoryLimit {
    /// Returns the limit in bytes; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - groups: the file that names the process's groups.
    ///   - root: the mount point of the control groups.
    public static func byteCount(groups: String = "/proc/self/cgroup", root: String = "/sys/fs/cgroup") -> Int? {
        lines(groups).compactMap { line -> Int? in
            // `0::/system.slice/x.service`, and with controllers of version 1 `9:memory:/system.slice/x.service`.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            let isUnified = fields[0] == "0" && fields[1].isEmpty
            guard isUnified || fields[1].split(separator: ",").contains("memory") else { return nil }
            let file =
                isUnified
                ? "\(root)\(fields[2])/memory.max" : "\(root)/\(fields[1])\(fields[2])/memory.limit_in_bytes"
            guard let limit = lines(file).first.flatMap({ Int($0) }) else { return nil }
            // Without a limit, version 1 shows the largest number of pages.
            return limit < 1 << 50 ? limit : nil
        }.min()
    }

    private static func lines(_ path: String) -> [Substring] { KernelFile.text(of: path).split(separator: "\n") }
}
