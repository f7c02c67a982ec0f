import ChildProcesses
import Glibc
import Testing

/// A program on a pseudoterminal, and what it writes there.
package final class TerminalProcess: Sendable {
    /// `TIOCGPTN` and `TIOCSPTLCK`, which Swift does not import.
    private static let (number, lock) = (UInt(0x8004_5430), UInt(0x4004_5431))
    private let terminal: Int32
    private let reader: Thread
    private let written = Cell<[UInt8]>([])
    private let code = Cell<Int32?>(nil)
    /// Whether everything that it has written is read.
    private let isRead = Cell(false)
    package let process: ChildProcess

    /// - Parameter environment: the whole environment, besides the search path and the time zone.
    package init(
        _ program: String, _ arguments: [String], environment: [String] = [], columns: UInt16 = 80, rows: UInt16 = 24
    ) throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, locked) = (Int32(-1), Int32(0))
        try #require(ioctl(terminal, Self.number, &number) == 0 && ioctl(terminal, Self.lock, &locked) == 0)
        let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(other) }
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(other >= 0 && ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
        process = try ChildProcess(
            program, arguments, environment: environment, input: .descriptor(other), output: .descriptor(other),
            errors: .descriptor(other))
        self.terminal = terminal
        // It ends when the process has, which is the last that has the other end open.
        reader = Thread { [written, isRead] in
            var bytes = [UInt8](repeating: 0, count: 4096)
            while case let count = read(terminal, &bytes, bytes.count), count > 0 || count < 0 && errno == EINTR {
                let block = Array(bytes.prefix(max(0, count)))
                written.update { $0 += block }
            }
            isRead.update { $0 = true }
        }
    }

    deinit {
        if code.value == nil {
            kill(process.id, SIGKILL)
            _ = process.wait()
        }
        reader.join()
        close(terminal)
    }

    /// What it has written so far.
    package var text: String { String(decoding: written.value, as: UTF8.self) }

    package func press(_ keys: String) { _ = keys.withCString { write(terminal, $0, strlen($0)) } }

    package func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        // The terminal is not the controlling one of the process, which the kernel would signal.
        kill(process.id, SIGWINCH)
    }

    /// Waits until it has written this text.
    package func shows(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await eventually("'\(text)' in \(self.text.debugDescription)", sourceLocation: sourceLocation) {
            self.text.contains(text)
        }
    }

    /// Whether the terminal reads lines and echoes them, as for a shell.
    package var isCooked: Bool {
        var mode = termios()
        return tcgetattr(terminal, &mode) == 0 && mode.c_lflag & UInt32(ICANON | ECHO) == UInt32(ICANON | ECHO)
    }

    /// Waits until it has ended with success, and has left the terminal as it was.
    package func endsAsItBegan(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await ends(sourceLocation: sourceLocation)
        try await eventually("the screen is as before", sourceLocation: sourceLocation) {
            self.text.hasSuffix("\u{1B}[?1049l")
        }
        #expect(isCooked, sourceLocation: sourceLocation)
    }

    /// Waits until it has ended with this exit code.
    package func ends(_ code: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await eventually("it ends, not \(text.debugDescription)", sourceLocation: sourceLocation) {
            self.codeIfEnded() != nil && self.isRead.value
        }
        #expect(codeIfEnded() == code, sourceLocation: sourceLocation)
    }

    /// Its exit code, or the negative number of the signal that ended it; `nil` while it runs.
    package func codeIfEnded() -> Int32? {
        code.update { [process] in $0 = $0 ?? process.codeIfEnded() }
        return code.value
    }
}
