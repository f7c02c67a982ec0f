import CLinux
import Glibc

/// The user that a service runs as, and what the permissions of files allow it.
public struct ServiceUser: Sendable, Equatable {
    /// Its number; `nil` for a dynamic user that exists only while the service runs.
    public var id: UInt32?
    /// The numbers of its groups.
    public var groups: Set<UInt32>
    /// Whether a capability lets it read all files.
    public var readsAll: Bool
    /// Whether a capability lets it write all files.
    public var writesAll: Bool

    /// Creates a user.
    public init(id: UInt32?, groups: Set<UInt32> = [], readsAll: Bool = false, writesAll: Bool = false) {
        (self.id, self.groups, self.readsAll, self.writesAll) = (id, groups, readsAll, writesAll)
    }

    /// Looks up a user and its groups. Groups that do not exist are left out.
    ///
    /// - Parameters:
    ///   - name: the name or the number of the user.
    ///   - groups: the names or the numbers of groups that the service has besides those of the user.
    ///   - capabilities: the bits of its capabilities.
    init(named name: String, groups: [String], capabilities: UInt64) {
        let (override, readSearch) = (UInt64(1) << 1, UInt64(1) << 2)
        let writesAll = capabilities & override != 0
        self.init(id: UInt32(name), readsAll: writesAll || capabilities & readSearch != 0, writesAll: writesAll)
        if let entry = getpwnam(name)?.pointee {
            id = entry.pw_uid
            var (count, numbers) = (Int32(1_024), [gid_t](repeating: 0, count: 1_024))
            if getgrouplist(name, entry.pw_gid, &numbers, &count) < 0 { (count, numbers[0]) = (1, entry.pw_gid) }
            self.groups.formUnion(numbers.prefix(Int(count)))
        }
        self.groups.formUnion(groups.compactMap { UInt32($0) ?? getgrnam($0)?.pointee.gr_gid })
    }

    /// Returns the permissions that keep this user from a file; `nil` if there are none, or if they cannot be read.
    ///
    /// A file that does not exist has none: only its directories count.
    ///
    /// - Parameters:
    ///   - path: the path, without symbolic links.
    ///   - isWritten: whether the user also writes to it.
    func obstacle(to path: BytePath, isWritten: Bool) -> ServiceSandbox.Obstacle? {
        let (search, read, write): (mode_t, mode_t, mode_t) = (1, 4, 2)
        var (directory, status) = (BytePath("/"), stat())
        for name in path.bytes.split(separator: BytePath.slash) {
            guard directory.withCString({ stat($0, &status) }) == 0 else { return nil }
            if !allows(search, status, directory) { return denied("to search", directory, status, search) }
            let next = directory.appending(BytePath(bytes: Array(name)))
            if next == path, isWritten, next.isMissing, !allows(write | search, status, directory) {
                return denied("to write in", directory, status, write)
            }
            directory = next
        }
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        if !allows(isDirectory ? read | search : read, status, path) { return denied("to read", path, status, read) }
        if isWritten, !allows(write, status, path) { return denied("to write", path, status, write) }
        return nil
    }

    /// Whether the permissions of a file include all these bits for the user. A file with an access control list is
    /// assumed to allow it.
    private func allows(_ bits: mode_t, _ status: stat, _ path: BytePath) -> Bool {
        if writesAll || readsAll && bits & 2 == 0 { return true }
        let shift = status.st_uid == id ? 6 : groups.contains(status.st_gid) ? 3 : 0
        if status.st_mode >> mode_t(shift) & bits == bits { return true }
        return path.withCString { getxattr($0, "system.posix_acl_access", nil, 0) } > 0
    }

    private func denied(
        _ use: String, _ path: BytePath, _ status: stat, _ bits: mode_t
    ) -> ServiceSandbox.Obstacle {
        let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(status.st_uid)"
        let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
        let digits = String(status.st_mode & 0o7777, radix: 8)
        let mode = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let isForGroup = status.st_mode >> 3 & bits == bits && status.st_gid != 0 && status.st_uid != id
        return ServiceSandbox.Obstacle(
            .permissions(group: isForGroup ? group : nil),
            "the service's user is not allowed \(use) \(path), which has mode \(mode) and belongs to \(owner):\(group)")
    }
}
