import Dispatch
import Glibc
import RxControl
import RxEngine
import RxEngineSections
import RxSystem

/// A terminal whose whole screen a command draws until it ends, when the screen is as it was before.
@MainActor
final class FullScreen {
    private let before: termios

    /// The signals that have arrived.
    private let signals = SignalPipe.observe([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH]).share()

    /// Takes over the terminal of standard input and output; `nil` if these are none.
    static func begin() -> FullScreen? {
        var before = termios()
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        return FullScreen(before)
    }

    private init(_ before: termios) {
        self.before = before
        var raw = before
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        write("\u{1B}[?1049h")
    }

    /// Shows what the screen showed before.
    func end() {
        write("\u{1B}[?1049l")
        var before = before
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
    }

    func write(_ text: String) { StandardStream.output.write(text) }

    /// The size of the terminal.
    nonisolated var size: TerminalSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return .standard
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// The keys that are pressed, on the main queue. Signals that end the process are interruptions.
    var keys: Observable<TerminalKey> {
        let ends = signals.filter { $0 != SIGWINCH }.map { _ in [TerminalKey.interrupt] }
        // Over a network, the bytes of a key can arrive one by one.
        let rest = Locked<[UInt8]>([])
        let pressed = Observable<DescriptorEvent>.fd(STDIN_FILENO, on: .main).map { _ in Self.read(after: rest) }
            .share()
        let late = pressed.debounce(Self.longestPause, scheduler: MainScheduler.instance).map { _ in
            rest.withLock { rest in
                defer { rest = [] }
                return TerminalKey.key(of: rest).map { [$0] } ?? []
            }
        }
        return Observable.merge(ends, pressed, late).concatMap { Observable.from($0) }
    }

    /// The longest pause between the bytes of a key.
    private nonisolated static let longestPause = RxTimeInterval.milliseconds(50)

    /// The sizes that the terminal gets, on the main queue.
    var sizes: Observable<TerminalSize> {
        signals.filter { $0 == SIGWINCH }.map { [self] _ in size }
    }

    private nonisolated static func read(after rest: Locked<[UInt8]>) -> [TerminalKey] {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return [.interrupt] }
        let block = bytes[..<count]
        return rest.withLock { rest in
            rest += block
            return TerminalKey.keys(taking: &rest)
        }
    }
}
