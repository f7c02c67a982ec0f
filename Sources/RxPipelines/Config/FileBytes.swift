import Glibc

/// Reads the files of a configuration and of its credentials.
enum FileBytes {
    /// Why a file cannot be read.
    struct Failure: Error {
        /// The value of `errno`; `nil` if the file is of a kind that is not read.
        let code: Int32?
        let reason: String

        static var system: Failure { Failure(code: errno, reason: String(cString: strerror(errno))) }
    }

    /// How long to wait for the writer of a pipe.
    enum PipeWait {
        /// Pipes are not read.
        case none
        case upTo(Duration)
        /// Until SIGTERM or SIGINT, even if they are blocked.
        case unlimited
    }

    /// Reads a file, up to one byte more than `limit`, so that the caller recognizes a file that is too long.
    static func read(_ path: String, limit: Int, pipes: PipeWait = .none) throws(Failure) -> [UInt8] {
        // Checked before opening, since the opening of a device can have effects.
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
            // Before a writer has opened it, an empty pipe looks like one at its end.
            try writer?.wait()
            let count = uninterrupted { Glibc.read(descriptor, &block, block.count) }
            if count < 0, errno == EAGAIN { continue }
            if count < 0 { throw .system }
            if count == 0 { break }
            bytes += block[..<count]
        }
        return bytes
    }

    /// Reads standard input, also that of a terminal, up to one byte more than `limit`.
    static func standardInput(limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= limit {
            let count = uninterrupted { Glibc.read(STDIN_FILENO, &block, block.count) }
            if count < 0 { throw .system }
            if count == 0 { break }
            bytes += block[..<count]
        }
        return bytes
    }

    /// The kind of file at a path.
    enum PathKind {
        case nothing, directory, other
        /// The null device, which masks a file.
        case mask
    }

    static func kind(at path: String) -> PathKind {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR ? .nothing : .other }
        if status.st_mode & S_IFMT == S_IFDIR { return .directory }
        return isNull(status) ? .mask : .other
    }

    /// The owner of a file or directory, and whether its group or all others may write to it; `nil` if it does not
    /// exist.
    static func owner(of path: String) -> (user: uid_t, isWritableByOthers: Bool)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (status.st_uid, status.st_mode & (S_IWGRP | S_IWOTH) != 0)
    }

    /// The names in a directory, sorted by their bytes; `nil` if it cannot be read, with the reason in `errno`.
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

    /// The name of a kind of file that cannot be read to its end; `nil` for others. The null device counts as an empty
    /// file.
    private static func kind(_ status: stat, _ pipes: PipeWait) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: "a directory"
        case S_IFSOCK: "a socket"
        case S_IFIFO: if case .none = pipes { "a pipe" } else { nil }
        case S_IFBLK: "a device"
        case S_IFCHR: isNull(status) ? nil : "a device"
        default: nil
        }
    }

    /// Whether the file is the null device: major 1, minor 3.
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
