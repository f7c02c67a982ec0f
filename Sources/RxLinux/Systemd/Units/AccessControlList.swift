import CLinux
import Glibc

/// The access control list of a file, which says more about its users and groups than its mode does.
struct AccessControlList {
    /// The class of users that an entry is about, as the kernel numbers it.
    private enum Tag: UInt16 {
        case owner = 0x01, user = 0x02, owningGroup = 0x04, group = 0x08, mask = 0x10, others = 0x20
    }

    /// The permissions of a user or a group.
    private struct Entry {
        let tag: Tag
        let bits: mode_t
        /// The number of the user or the group that is named.
        let id: UInt32
    }

    private let entries: [Entry]

    /// Reads the list of a file; `nil` if it has none, or if it cannot be read.
    init?(of path: BytePath) {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = path.withCString { getxattr($0, "system.posix_acl_access", &bytes, bytes.count) }
        // A version, and then entries of eight bytes, all little endian.
        guard count >= 4 else { return nil }
        func number(_ offset: Int, _ size: Int) -> UInt32 {
            (0..<size).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
        }
        entries = stride(from: 4, to: count - 7, by: 8).compactMap { offset in
            Tag(rawValue: UInt16(number(offset, 2))).map {
                Entry(tag: $0, bits: mode_t(number(offset + 2, 2)), id: number(offset + 4, 4))
            }
        }
    }

    /// Whether the list allows a user all these bits.
    ///
    /// - Parameters:
    ///   - bits: the bits of a mode for others.
    ///   - id: the number of the user; `nil` for one that no entry can name.
    ///   - groups: the numbers of the user's groups.
    ///   - owner: the owner of the file.
    ///   - group: the group of the file.
    func allows(_ bits: mode_t, id: UInt32?, groups: Set<UInt32>, owner: UInt32, group: UInt32) -> Bool {
        func allows(_ entry: Entry?) -> Bool { entry.map { $0.bits & bits == bits } ?? false }
        func first(_ tag: Tag) -> Entry? { entries.first { $0.tag == tag } }
        if id == owner { return allows(first(.owner)) }
        let isMasked = first(.mask).map { $0.bits & bits != bits } ?? false
        if let named = entries.first(where: { $0.tag == .user && $0.id == id }) { return allows(named) && !isMasked }
        let own = entries.filter {
            $0.tag == .owningGroup && groups.contains(group) || $0.tag == .group && groups.contains($0.id)
        }
        if !own.isEmpty { return own.contains { allows($0) } && !isMasked }
        return allows(first(.others))
    }
}
