import Glibc

/// Standard output and standard error, written a line at a time, past stdio's buffers.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Puts the null device where the process was started without a standard stream, so that nothing it opens takes
    /// that number and is written to. Called first thing in a program.
    package static func openMissing() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes a line, for as long as its reader needs to take it.
    ///
    /// - Returns: the system's number for why it could not be written, or not to its end; `nil` if it was.
    @discardableResult
    package func print(_ line: String) -> Int32? {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(rawValue, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch count < 0 ? errno : EIO {
            case EINTR: continue
            case EAGAIN: waitUntilWritable()
            case let number: return number
            }
        }
        return nil
    }

    /// Waits until the stream takes something, or an error shows. Whoever gave it to the process may have made it one
    /// that does not block.
    package func waitUntilWritable() {
        var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&descriptor, 1, -1)
    }
}
