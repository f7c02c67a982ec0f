import Glibc

/// A file that is open for lines at its end.
final class AppendedFile {
    private let descriptor: Descriptor
    private let path: String
    private let device: dev_t
    private let inode: ino_t
    /// How long another program may hold the lock before lines are refused, and how often it is tried meanwhile.
    private static let patience = Duration.seconds(3)
    private static let pause: useconds_t = 2000
    /// Whether another program has held the lock for that long: it is not waited for again.
    private var isGivenUp = false
    /// Whether its end is known to be the end of a line.
    private var isAtLineEnd = false

    /// Opens the file, or makes it with these permissions.
    init(_ path: String, mode: UInt32) throws(SystemError) {
        self.path = path
        let descriptor = try Self.open(path, mode)
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw SystemError.last("looking at '\(path)'") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(EINVAL, "appending to '\(path)', which is no regular file")
        }
        self.descriptor = descriptor
        (device, inode) = (status.st_dev, status.st_ino)
    }

    // Of a pipe without a reader nobody waits for one: it is refused afterwards.
    private static let flags = O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK

    private static func open(_ path: String, _ mode: UInt32) throws(SystemError) -> Descriptor {
        var number = uninterrupted { Glibc.open(path, flags | O_RDWR) }
        if number < 0, errno == ENOENT { return try make(path, mode) }
        if number < 0, errno == EACCES || errno == EPERM {
            number = uninterrupted { Glibc.open(path, flags | O_WRONLY) }
        }
        return try Descriptor(number, "opening '\(path)'")
    }

    private static func make(_ path: String, _ mode: UInt32) throws(SystemError) -> Descriptor {
        let new = flags | O_RDWR | O_CREAT
        var number = uninterrupted { Glibc.open(path, new | O_EXCL, mode) }
        let isNew = number >= 0
        // Somebody else has made it meanwhile, or the path is a link to where no file is yet.
        if !isNew, errno == EEXIST { number = uninterrupted { Glibc.open(path, new, mode) } }
        let made = try Descriptor(number, "making '\(path)'")
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
    func isAt(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_dev == device && status.st_ino == inode
    }

    /// Appends lines, each whole or not at all.
    ///
    /// - Parameters:
    ///   - isCancelled: whether nothing may be written any more; asked while the lock is waited for, and last before
    ///     the write.
    ///   - willWrite: called with the place of the first line, before the write.
    /// - Returns: how many were appended, and what the next could not be appended for.
    func append(
        _ lines: some Collection<[UInt8]>, unless isCancelled: () -> Bool, willWrite: (AppendPlace) -> Void
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
        takeBack(written - (count == 0 ? 0 : ends[count - 1]))
        return (count, failure)
    }

    /// Where the next line begins.
    private var end: AppendPlace? {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { return nil }
        let offset = Int64(status.st_size) + (isAtLineEnd ? 0 : 1)
        return AppendPlace(device: UInt64(device), inode: UInt64(inode), offset: offset)
    }

    /// Waits for the lock for a while: whoever may read the file can hold it for as long as he likes.
    private func lock(unless isCancelled: () -> Bool) -> SystemError? {
        let end = ContinuousClock.now + Self.patience
        while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK where isCancelled(): return cancellation
            case EWOULDBLOCK where isGivenUp || .now >= end:
                isGivenUp = true
                return SystemError(EWOULDBLOCK, "appending to '\(path)', which another program has locked")
            case EWOULDBLOCK: usleep(Self.pause)
            // Where a file system knows no locks, one writer is all that can be hoped for.
            default: return nil
            }
        }
        isGivenUp = false
        return nil
    }

    private var cancellation: SystemError { SystemError(ECANCELED, "appending to '\(path)'") }

    /// - Returns: how many bytes were written, and what the next could not be written for.
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

    /// Whether the last byte ends a line. Of a file that cannot be read it is believed.
    private func endsWithLine() -> Bool {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_size > 0 else { return true }
        var last: UInt8 = 0
        return pread(descriptor.number, &last, 1, status.st_size - 1) != 1 || last == UInt8(ascii: "\n")
    }

    /// Takes back the last bytes written, unless somebody without a lock has written behind them.
    private func takeBack(_ count: Int) {
        guard count > 0 else { return }
        let end = lseek(descriptor.number, 0, SEEK_CUR)
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_size == end else { return }
        ftruncate(descriptor.number, end - off_t(count))
    }
}
