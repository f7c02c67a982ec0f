import Glibc

/// An open file to which lines are appended.
final class AppendedFile {
    private let descriptor: Descriptor
    private let path: BytePath
    private let device: dev_t
    private let inode: ino_t
    /// The time after which lines fail because another program holds the lock, and the pause between two attempts.
    private static let lockTimeout = Duration.seconds(3)
    private static let lockRetryInterval: useconds_t = 2000
    /// Whether the last wait for the lock has timed out, after which lines fail at once until the lock is free.
    private var hasTimedOut = false
    /// Whether the file is known to end with a complete line.
    private var isAtLineEnd = false

    /// Opens the file, or creates it with these permissions.
    init(_ path: BytePath, mode: UInt32) throws(SystemError) {
        self.path = path
        let descriptor = try Self.open(path, mode)
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw SystemError.last("looking at '\(path)'") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(EINVAL, "appending to '\(path)', which is not a regular file")
        }
        self.descriptor = descriptor
        (device, inode) = (status.st_dev, status.st_ino)
    }

    // Non-blocking, so that opening a FIFO does not wait for a reader; a FIFO is rejected after opening.
    private static let flags = O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK

    private static func open(_ path: BytePath, _ mode: UInt32) throws(SystemError) -> Descriptor {
        var number = uninterrupted { path.withCString { Glibc.open($0, flags | O_RDWR) } }
        if number < 0, errno == ENOENT { return try make(path, mode) }
        if number < 0, errno == EACCES || errno == EPERM {
            number = uninterrupted { path.withCString { Glibc.open($0, flags | O_WRONLY) } }
        }
        return try Descriptor(number, "opening '\(path)'")
    }

    private static func make(_ path: BytePath, _ mode: UInt32) throws(SystemError) -> Descriptor {
        let new = flags | O_RDWR | O_CREAT
        var number = uninterrupted { path.withCString { Glibc.open($0, new | O_EXCL, mode) } }
        let isNew = number >= 0
        // Another program has created the file since, or the path is a symbolic link to a missing file.
        if !isNew, errno == EEXIST { number = uninterrupted { path.withCString { Glibc.open($0, new, mode) } } }
        let step = errno == ENOENT ? "creating '\(path)', whose directory must exist" : "creating '\(path)'"
        let made = try Descriptor(number, step)
        var status = stat()
        let isEmpty =
            fstat(made.number, &status) == 0 && status.st_size == 0 && status.st_uid == geteuid()
        if isNew || isEmpty { fchmod(made.number, mode) }
        return made
    }

    private static func uninterrupted(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Whether the path still leads to this file.
    func isAt(_ path: BytePath) -> Bool {
        var status = stat()
        return path.withCString { stat($0, &status) == 0 } && status.st_dev == device && status.st_ino == inode
    }

    /// Appends lines, each completely or not at all.
    ///
    /// - Parameters:
    ///   - lines: the lines, without line ends.
    ///   - isCancelled: whether to write nothing any more; called during the wait for the lock, and last before the
    ///     write.
    ///   - willWrite: called with the position of the first line, before the write.
    /// - Returns: the number of lines that were appended, and the error of the next one.
    func append(
        _ lines: some Collection<[UInt8]>, unless isCancelled: () -> Bool, willWrite: (AppendPosition) -> Void
    ) -> (written: Int, failure: SystemError?) {
        if let failure = lock(unless: isCancelled) { return (0, failure) }
        defer { flock(descriptor.number, LOCK_UN) }
        if isCancelled() { return (0, cancellation) }
        let newline = UInt8(ascii: "\n")
        if !isAtLineEnd { isAtLineEnd = endsWithLine() }
        if let end { willWrite(end) }
        if isCancelled() { return (0, cancellation) }
        var bytes = isAtLineEnd ? [] : [newline]
        var ends: [Int] = []
        for line in lines {
            bytes += line
            bytes.append(newline)
            ends.append(bytes.count)
        }
        let (written, failure) = write(bytes)
        isAtLineEnd = failure == nil
        guard let failure else { return (ends.count, nil) }
        let count = ends.count { $0 <= written }
        removePartialLine(written - (count == 0 ? 0 : ends[count - 1]))
        return (count, failure)
    }

    /// The position of the next line.
    private var end: AppendPosition? {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { return nil }
        let offset = Int64(status.st_size) + (isAtLineEnd ? 0 : 1)
        return AppendPosition(device: UInt64(device), inode: UInt64(inode), offset: offset)
    }

    /// Waits for the lock, up to a limit: any program that may read the file can hold it for any time.
    private func lock(unless isCancelled: () -> Bool) -> SystemError? {
        let end = SuspendingClock.now + Self.lockTimeout
        while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK where isCancelled(): return cancellation
            case EWOULDBLOCK where hasTimedOut || .now >= end:
                hasTimedOut = true
                return SystemError(EWOULDBLOCK, "appending to '\(path)', which another program has locked")
            case EWOULDBLOCK: usleep(Self.lockRetryInterval)
            // The file system has no locks: append without one, which is right as long as there is one writer.
            default: return nil
            }
        }
        hasTimedOut = false
        return nil
    }

    private var cancellation: SystemError { SystemError(ECANCELED, "appending to '\(path)'") }

    /// Writes all bytes.
    ///
    /// - Returns: the number of bytes that were written, and the error if that is not all.
    private func write(_ bytes: [UInt8]) -> (Int, SystemError?) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor.number, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                return (written, SystemError(count == 0 ? ENOSPC : errno, "appending to '\(path)'"))
            }
        }
        return (written, nil)
    }

    /// Whether the last byte is a line end. Assumes so for a file that cannot be read.
    private func endsWithLine() -> Bool {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_size > 0 else { return true }
        var last: UInt8 = 0
        return pread(descriptor.number, &last, 1, status.st_size - 1) != 1 || last == UInt8(ascii: "\n")
    }

    /// Truncates the last `count` bytes written, unless a program without the lock has appended to them.
    private func removePartialLine(_ count: Int) {
        guard count > 0 else { return }
        let end = lseek(descriptor.number, 0, SEEK_CUR)
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_size == end else { return }
        ftruncate(descriptor.number, end - off_t(count))
    }
}
