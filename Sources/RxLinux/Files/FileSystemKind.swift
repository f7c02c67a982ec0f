import CLinux
import Glibc

/// Whether the kernel tells of changes in a file system.
enum FileSystemKind: Sendable {
    /// It does.
    case watched
    /// Others may change files without its knowing: it has to be looked now and then.
    case polled
    /// Files are made up when they are read: their contents have to be looked at.
    case content

    init(of path: BytePath) {
        var status = statfs()
        guard path.withCString({ statfs($0, &status) == 0 }) else {
            self = .watched
            return
        }
        switch UInt32(truncatingIfNeeded: status.f_type) {
        case 0x9FA0, 0x6265_6572: self = .content  // proc, sysfs
        case 0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42,  // nfs, smb, cifs, smb2
            0x6573_5546, 0x0102_1997, 0x5346_414F, 0x00C3_6400, 0x7375_7245:  // fuse, 9p, afs, ceph, coda
            self = .polled
        default: self = .watched
        }
    }
}

extension FileIdentity {
    /// Of what is at a path, looked at as the file system needs it.
    init(of path: BytePath, _ look: FileSystemKind) {
        self = (look == .content ? FileIdentity(content: path) : FileIdentity(of: path)) ?? .unknown
    }

    /// By what the first 64 KiB of a file say.
    init?(content path: BytePath) {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        let count = read(descriptor, &block, block.count)
        guard count >= 0 else { return nil }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in block[..<count] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        self.init(inode: 1, size: Int64(count), modified: Int64(bitPattern: hash))
    }
}
