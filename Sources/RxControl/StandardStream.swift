import Glibc

/// Standard output and standard error, written line by line without stdio's buffers.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Opens the null device in place of each standard stream that is missing.
    ///
    /// Otherwise a file that the process opens later would take its number and be written to. Call it first in a
    /// program.
    package static func openMissing() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Whether the stream is a terminal that can erase and color text.
    package var isTerminal: Bool { Self.variable("TERM") != "dumb" && isatty(rawValue) == 1 }

    /// Whether the stream is a terminal with colors that the user has not switched off with `NO_COLOR`.
    package var hasColor: Bool { isTerminal && Self.variable("NO_COLOR").isEmpty }

    /// The number of columns of the terminal; `nil` if it is none, or has no size.
    package var columns: Int? { size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

    /// The number of lines of the terminal; `nil` if it is none, or has no size.
    package var rows: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

    private var size: winsize? {
        var size = winsize()
        return isTerminal && ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    /// The number of columns that the daemon makes a text for; `nil` if this is no terminal.
    package var textColumns: Int? {
        columns.map { min(max($0, ControlRequest.widths.lowerBound), ControlRequest.widths.upperBound) }
    }

    private static func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

    /// Writes a line and waits until its reader has taken it.
    ///
    /// - Returns: `errno` if not all of it could be written; `nil` on success.
    @discardableResult
    package func print(_ line: String) -> Int32? { write(line + "\n") }

    /// Writes a text and waits until its reader has taken it.
    ///
    /// - Returns: `errno` if not all of it could be written; `nil` on success.
    @discardableResult
    package func write(_ text: String) -> Int32? {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
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

    /// Waits until the stream is writable or has an error.
    ///
    /// The stream may be non-blocking if the parent process made it so.
    ///
    /// - Parameter timeout: the longest time to wait, in milliseconds; -1 for no limit.
    /// - Returns: whether it is writable, or has an error.
    @discardableResult
    package func waitUntilWritable(within timeout: Int32 = -1) -> Bool {
        var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        return poll(&descriptor, 1, timeout) != 0
    }
}
