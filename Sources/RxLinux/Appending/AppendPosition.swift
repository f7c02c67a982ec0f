import Glibc

/// The position at which lines are appended: a file, identified independently of its path, and an offset in it.
public struct AppendPosition: Hashable, Sendable {
    /// The file's device, as reported by `stat(2)`.
    public let device: UInt64
    /// The file's inode.
    public let inode: UInt64
    /// The offset of the first line.
    public let offset: Int64

    /// The longest line that is read, in bytes; the length may come from a damaged file.
    private static let longestLine = 128 << 20

    /// Restores a stored position.
    public init(device: UInt64, inode: UInt64, offset: Int64) {
        self.device = device
        self.inode = inode
        self.offset = offset
    }

    /// Reads the lines of the given lengths at this position, up to the first that is not complete with its line end.
    ///
    /// - Parameters:
    ///   - path: the path that the file had. If the file was renamed in its directory since, as by log rotation, it is
    ///     found by its inode.
    ///   - lengths: the lengths of the lines, without their line ends. A line of more than 128 MiB is not read.
    ///   - transform: called with the bytes of each line, in order.
    /// - Returns: the results of `transform`.
    public func lines<Value>(
        at path: BytePath, lengths: some Sequence<Int>, _ transform: (ArraySlice<UInt8>) -> Value
    ) -> [Value] {
        guard let descriptor = open(path) ?? find(beside: path) else { return [] }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { return [] }
        var found: [Value] = []
        var start = offset
        for length in lengths {
            guard (0...Self.longestLine).contains(length), start >= 0, Int64(length) < Int64(status.st_size) - start,
                let line = Self.read(length + 1, from: start, descriptor), line.last == UInt8(ascii: "\n")
            else { break }
            found.append(transform(line.dropLast()))
            start += Int64(length) + 1
        }
        return found
    }

    /// Opens the file, if `path` leads to it.
    private func open(_ path: BytePath) -> Descriptor? {
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        guard let descriptor = try? Descriptor(path.withCString { Glibc.open($0, flags) }, "opening '\(path)'") else {
            return nil
        }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            UInt64(status.st_dev) == device, UInt64(status.st_ino) == inode
        else { return nil }
        return descriptor
    }

    /// Opens the file under another name, in the directory of the file to which `path` leads.
    private func find(beside path: BytePath) -> Descriptor? {
        let directory = (BytePath(taking: path.withCString { realpath($0, nil) }) ?? path).parent
        guard let stream = directory.withCString({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            guard UInt64(entry.pointee.d_ino) == inode else { continue }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if let found = open(directory.appending(BytePath(bytes: name))) { return found }
        }
        return nil
    }

    private static func read(_ count: Int, from offset: Int64, _ descriptor: borrowing Descriptor) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = bytes.withUnsafeMutableBytes {
                pread(descriptor.number, $0.baseAddress.map { $0 + done }, count - done, off_t(offset) + done)
            }
            if read > 0 { done += read } else if read == 0 || errno != EINTR { return nil }
        }
        return bytes
    }
}
