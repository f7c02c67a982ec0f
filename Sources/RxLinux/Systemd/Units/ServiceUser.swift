import CLinux
import Glibc

/// The user that a service runs as, and what the permissions of files allow it.
public struct ServiceUser: Sendable, Equatable {
    /// The number of the user; `nil` for a dynamic user that exists only while the service runs.
    public var id: UInt32?
    /// The numbers of the user's groups.
    public var groups: Set<UInt32>
    /// Whether a capability allows the user to read all files.
    public var readsAll: Bool
    /// Whether a capability allows the user to write all files.
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
        if let entry = (getpwnam(name) ?? UInt32(name).flatMap { getpwuid($0) })?.pointee {
            id = entry.pw_uid
            let name = String(cString: entry.pw_name)
            var (count, numbers) = (Int32(1_024), [gid_t](repeating: 0, count: 1_024))
            if getgrouplist(name, entry.pw_gid, &numbers, &count) < 0 { (count, numbers[0]) = (1, entry.pw_gid) }
            self.groups.formUnion(numbers.prefix(Int(count)))
        }
        self.groups.formUnion(groups.compactMap { UInt32($0) ?? getgrnam($0)?.pointee.gr_gid })
    }

    private static let (search, write, read): (mode_t, mode_t, mode_t) = (1, 2, 4)

    /// Returns the permissions that keep this user from a file; `nil` if there are none, or if they cannot be read.
    ///
    /// A file that does not exist has none: only its directories count.
    ///
    /// - Parameters:
    ///   - path: the path, without symbolic links.
    ///   - use: what the user does with the file.
    func restriction(to path: BytePath, for use: PathAccess) -> ServiceSandbox.Restriction? {
        var (directory, status) = (BytePath("/"), stat())
        for name in path.bytes.split(separator: BytePath.slash) {
            guard directory.withCString({ stat($0, &status) }) == 0 else { return nil }
            if !allows(Self.search, status, directory) { return denied("to search", directory, status, Self.search) }
            let next = directory.appending(BytePath(bytes: Array(name)))
            if next == path, use == .write, next.isMissing, !allows(Self.write, status, directory) {
                return denied("to write in", directory, status, Self.write)
            }
            directory = next
        }
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        let (doing, bits): (String, mode_t) =
            switch use {
            case .read: ("to read", isDirectory ? Self.read | Self.search : Self.read)
            case .write: ("to write", Self.write)
            case .run: ("to run", Self.search)
            case .enter: ("to enter", Self.search)
            case .connect: ("to connect to", Self.write)
            }
        return allows(bits, status, path) ? nil : denied(doing, path, status, bits)
    }

    /// Whether the permissions of a file include all these bits for the user.
    private func allows(_ bits: mode_t, _ status: stat, _ path: BytePath) -> Bool {
        let isProgram = status.st_mode & S_IFMT == S_IFREG && bits == Self.search
        // Without any execute bit, capabilities do not help either.
        if isProgram, status.st_mode & 0o111 == 0 { return false }
        if writesAll || readsAll && bits & Self.write == 0 && !isProgram { return true }
        let shift = status.st_uid == id ? 6 : groups.contains(status.st_gid) ? 3 : 0
        let isAllowed = status.st_mode >> mode_t(shift) & bits == bits
        guard let list = AccessControlList(of: path) else { return isAllowed }
        return list.allows(bits, id: id, groups: groups, owner: status.st_uid, group: status.st_gid)
    }

    private func denied(
        _ use: String, _ path: BytePath, _ status: stat, _ bits: mode_t
    ) -> ServiceSandbox.Restriction {
        let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(status.st_uid)"
        let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
        let digits = String(status.st_mode & 0o7777, radix: 8)
        let mode = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let isForGroup = status.st_mode >> 3 & bits == bits && status.st_gid != 0 && status.st_uid != id
        return ServiceSandbox.Restriction(
            .permissions(group: isForGroup ? group : nil),
            "the service's user is not allowed \(use) \(path), which has mode \(mode) and belongs to \(owner):\(group)")
    }
}
