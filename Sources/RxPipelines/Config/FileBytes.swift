import Glibc

/// What is read from files while a config is.
enum FileBytes {
    /// Why a file cannot be read.
    struct Failure: Error {
        /// The system's number for it; none where the file is of a kind that is not read.
        let code: Int32?
        let reason: String

        static var system: Failure { Failure(code: errno, reason: String(cString: strerror(errno))) }
    }

    /// How long the writer of a pipe is waited for.
    enum Patience {
        /// Pipes are not read.
        case none
        case upTo(Duration)
        /// Until SIGTERM or SIGINT, even where they are blocked.
        case unlimited
    }

    /// Reads one byte more than `limit` at most, so that too long a file is found to be so.
    static func read(_ path: String, limit: Int, pipes: Patience = .none) throws(Failure) -> [UInt8] {
        // Asked before it is opened: opening alone can set a device going.
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system }
        if let kind = kind(status, pipes) { throw Failure(code: nil, reason: "it is \(kind)") }
        let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw .system }
        defer { close(descriptor) }
        let writer = status.st_mode & S_IFMT == S_IFIFO ? PipeWriter(of: descriptor, pipes) : nil
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= limit {
            // A pipe without bytes seems to be at its end before anybody has opened it to write.
            try writer?.wait()
            let count = uninterrupted { Glibc.read(descriptor, &block, block.count) }
            if count < 0, errno == EAGAIN { continue }
            if count < 0 { throw .system }
            if count == 0 { break }
            bytes += block[..<count]
        }
        return bytes
    }

    /// What is at a path.
    enum Place {
        case nothing, directory, other
        /// The null device, which hides what it takes the place of.
        case mask
    }

    static func place(_ path: String) -> Place {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR ? .nothing : .other }
        if status.st_mode & S_IFMT == S_IFDIR { return .directory }
        return isNull(status) ? .mask : .other
    }

    /// The names in a directory, sorted by their bytes; nil where it cannot be read, and `errno` says why.
    static func names(in directory: String) -> [String]? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// What it is, where that has no end, or no bytes. The null device passes for the empty file it is used as.
    private static func kind(_ status: stat, _ pipes: Patience) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: "a directory"
        case S_IFSOCK: "a socket"
        case S_IFIFO: if case .none = pipes { "a pipe" } else { nil }
        case S_IFBLK: "a device"
        case S_IFCHR: isNull(status) ? nil : "a device"
        default: nil
        }
    }

    /// Major 1, minor 3.
    private static func isNull(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == 0x103
    }

    private static func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
