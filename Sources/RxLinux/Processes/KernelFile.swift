import Glibc

/// Reads virtual files of the kernel, such as those below `/proc`: their size is unknown, and a read may be partial.
enum KernelFile {
    /// The size of a read, which is large since the kernel composes the lines of one read at the same moment.
    private static let blockSize = 64 << 10

    /// Returns at most the first `maximum` bytes of the file; none if it cannot be read.
    static func bytes(of path: String, maximum: Int = .max) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < maximum {
            let block = [UInt8](unsafeUninitializedCapacity: min(blockSize, maximum - bytes.count)) { buffer, count in
                count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
            }
            if block.isEmpty { break }
            bytes += block
        }
        return bytes
    }

    /// Returns the text of the file; an empty one if it cannot be read.
    static func text(of path: String) -> String { String(decoding: bytes(of: path), as: UTF8.self) }
}
