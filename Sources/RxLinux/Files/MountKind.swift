/// A mount by what an access to it may wait for.
enum MountKind: Sendable {
    /// Another host or process: a network or FUSE file system, or an automount. Its changes are polled.
    case server
    /// A disk, which may be another than that of the root directory.
    case disk
    /// Nothing that the root directory does not wait for, too.
    case memory

    private static let servers: Set<Substring> = [
        "nfs", "nfs4", "smb3", "cifs", "fuse", "fuseblk", "virtiofs", "9p", "afs", "ceph", "coda", "gfs2", "ocfs2",
        "lustre", "beegfs", "gpfs", "vboxsf", "autofs",
    ]

    /// File systems in memory, those that the kernel generates, and one whose layers are on other file systems.
    private static let memories: Set<Substring> = [
        "tmpfs", "ramfs", "rootfs", "devtmpfs", "devpts", "proc", "sysfs", "cgroup", "cgroup2", "mqueue", "hugetlbfs",
        "securityfs", "debugfs", "tracefs", "configfs", "pstore", "efivarfs", "bpf", "fusectl", "binfmt_misc",
        "rpc_pipefs", "selinuxfs", "nsfs", "overlay",
    ]

    /// Returns the kind of a mount by its type in the mount table, without an access to it, which might block.
    init(type: String) {
        let family = type.prefix { $0 != "." }
        self = Self.servers.contains(family) ? .server : Self.memories.contains(family) ? .memory : .disk
    }
}
