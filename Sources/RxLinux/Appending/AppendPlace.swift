import Glibc

/// Where lines are appended: a file, whatever its path, and an offset in it.
public struct AppendPlace: Hashable, Sendable {
    /// The file's device, as `stat(2)` has it.
    public let device: UInt64
    /// The file's inode.
    public let inode: UInt64
    /// Where the first line begins.
    public let offset: Int64

    /// A place that was stored.
    public init(device: UInt64, inode: UInt64, offset: Int64) {
        self.device = device
        self.inode = inode
        self.offset = offset
    }

    /// What is where lines of these lengths were to be appended, up to the first that is not there with its end.
    ///
    /// - Parameters:
    ///   - path: where the file was. It may have got another name in the same directory since, as when logs are rotated.
    ///   - lengths: the lengths without the line ends.
    ///   - transform: called with the bytes of one line after the other.
    public func lines<Value>(
        at path: String, lengths: some Sequence<Int>, _ transform: (ArraySlice<UInt8>) -> Value
    ) -> [Value] {
        guard let descriptor = open(path) ?? find(beside: path) else { return [] }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { return [] }
        var found: [Value] = []
        var start = offset
        for length in lengths {
            guard length >= 0, start >= 0, Int64(length) < Int64(status.st_size) - start,
                let line = Self.read(length + 1, from: start, descriptor), line.last == UInt8(ascii: "\n")
            else { break }
            found.append(transform(line.dropLast()))
            start += Int64(length) + 1
        }
        return found
    }

    /// Opens the file, if this is its path.
    private func open(_ path: String) -> Descriptor? {
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        guard let descriptor = try? Descriptor(Glibc.open(path, flags), "opening '\(path)'") else { return nil }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            UInt64(status.st_dev) == device, UInt64(status.st_ino) == inode
        else { return nil }
        return descriptor
    }

    /// Opens the file under another name, in the directory of the file that the path leads to.
    private func find(beside path: String) -> Descriptor? {
        let target = realpath(path, nil)
        defer { free(target) }
        let path = target.map { String(cString: $0) } ?? path
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            guard UInt64(entry.pointee.d_ino) == inode else { continue }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let found = open(directory + name) { return found }
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
