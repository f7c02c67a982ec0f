import CLinux
import Glibc

/// A file system by the way in which changes in it are found.
enum FileSystemKind: Sendable {
    /// The kernel reports all changes.
    case watched
    /// Other hosts may change files without this kernel's knowledge, so the file system is polled.
    case polled
    /// The kernel generates files when they are read, so their contents are polled.
    case content

    init(of path: BytePath) {
        var status = statfs()
        guard path.withCString({ statfs($0, &status) == 0 }) else {
            self = .watched
            return
        }
        self.init(magic: UInt32(truncatingIfNeeded: status.f_type))
    }

    /// Returns the kind of a file system by its number in `statfs(2)`.
    init(magic: UInt32) {
        switch magic {
        case 0x9FA0, 0x6265_6572: self = .content  // proc, sysfs
        case 0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42,  // nfs, smb, cifs, smb2
            0x6573_5546, 0x0102_1997, 0x5346_414F, 0x6B41_4653, 0x00C3_6400, 0x7375_7245,  // fuse, 9p, afs, ceph, coda
            0x0116_1970, 0x7461_636F, 0x0BD0_0BD0, 0x1983_0326, 0x4750_4653,  // gfs2, ocfs2, lustre, beegfs, gpfs
            0x786F_4256,  // vboxsf, the shared folders of a virtual machine
            0x0187:  // autofs, where another process mounts such a file system at the first access
            self = .polled
        default: self = .watched
        }
    }
}

extension FileIdentity {
    /// Identifies the file at a path in the way that its file system needs.
    init(of path: BytePath, _ detection: FileSystemKind) {
        self = (detection == .content ? FileIdentity(content: path) : FileIdentity(of: path)) ?? .unknown
    }

    /// Identifies a file by its first MiB of content.
    init?(content path: BytePath) {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var size = 0
        // The kernel returns generated content in pieces of a page.
        while size < 1 << 20 {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            for byte in block[..<count] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            size += count
        }
        self.init(inode: 1, size: Int64(size), modified: Int64(bitPattern: hash))
    }
}
