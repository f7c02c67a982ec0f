import CLinux
import Glibc

/// What tells whether a file is still the one it was, with the content it had.
struct FileIdentity: Hashable {
    var inode: UInt64
    var size: Int64
    /// When it was last written to, in ns.
    var modified: Int64

    /// Of a file that nobody has looked at since it was last touched.
    static let unknown = FileIdentity(inode: 0, size: 0, modified: 0)

    init(inode: UInt64, size: Int64, modified: Int64) {
        self.inode = inode
        self.size = size
        self.modified = modified
    }

    init(_ status: stat) {
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }
}

/// What tells a file from all others that were ever at its path.
struct FileBirth {
    let identity: FileIdentity
    /// When it came to be, in ns; 0 where its file system does not say.
    let birth: Int64
    /// When it was last renamed, linked or given other attributes, in ns; 0 if it was written to since, or at the same
    /// time.
    let moved: Int64

    /// Of what is at a path, without following a symbolic link; `nil` where there is nothing.
    init?(of path: BytePath) {
        var status = stat()
        guard path.withCString({ lstat($0, &status) == 0 }) else { return nil }
        identity = FileIdentity(status)
        birth = Int64(path.withCString { rx_birth_time($0) })
        let changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
        moved = changed == identity.modified ? 0 : changed
    }
}
