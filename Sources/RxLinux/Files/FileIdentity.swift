import CLinux
import Glibc

/// The identity of a file and its content.
struct FileIdentity: Hashable {
    var inode: UInt64
    var size: Int64
    /// The time of the last modification in ns.
    var modified: Int64

    /// The identity of a file that was not examined since its last change.
    static let unknown = FileIdentity(inode: 0, size: 0, modified: 0)

    init(inode: UInt64, size: Int64, modified: Int64) {
        self.inode = inode
        self.size = size
        self.modified = modified
    }

    /// Identifies a symbolic link by the path that it leads to, if the file there is not accessed.
    init(target path: BytePath) {
        var checksum = WatchSnapshotChecksum()
        path.bytes.withUnsafeBytes { checksum.add($0) }
        self.init(inode: 1, size: Int64(path.bytes.count), modified: Int64(bitPattern: checksum.value))
    }

    init(_ status: stat) {
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }
}

/// The properties that distinguish a file from all others that were ever at its path.
struct FileStatus {
    let identity: FileIdentity
    /// The creation time in ns; 0 if the file system does not record it.
    let birth: Int64
    /// The time of the last rename, link or change of attributes, in ns; 0 if the file was written then or later.
    let moved: Int64
    /// The identity of the file, or of a symbolic link's target.
    let content: FileIdentity

    /// Examines the file at a path; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - unfollowed: the identity of the symbolic link at a path whose target is not accessed; `nil` for others.
    init?(of path: BytePath, unfollowed: (BytePath) -> FileIdentity?) {
        var status = stat()
        guard path.withCString({ lstat($0, &status) == 0 }) else { return nil }
        identity = FileIdentity(status)
        birth = Int64(path.withCString { rx_birth_time($0) })
        let changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
        moved = changed == identity.modified ? 0 : changed
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        content = isLink ? unfollowed(path) ?? FileIdentity(of: path) ?? identity : identity
    }
}
