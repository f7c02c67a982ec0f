import Dispatch
import Glibc
import RxControl
import RxDiagnostics
import RxEngine

/// Shows on the terminal of standard error what a command waits for, from a second on, until it is stopped.
final class WaitIndicator {
    private let queue = DispatchQueue(label: "rx.wait-indicator")
    /// Counts the seconds; `nil` without a terminal.
    private let timer: (any DispatchSourceTimer)?
    /// The seconds that the line shows; 0 before there is one.
    private let seconds = Locked(0)

    /// - Parameter subject: what the command waits for, as in "waiting for the daemon".
    init(_ subject: String) {
        guard StandardStream.error.isTerminal else {
            timer = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [seconds] in
            let passed = seconds.withLock { seconds in
                seconds += 1
                return seconds
            }
            let line = "waiting for \(subject), \(passed) s (Ctrl-C ends the wait)".shownOnTerminal(indentedBy: 0)
            // In one line, which can be erased.
            var size = winsize()
            let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
            let width = isKnown ? Int(size.ws_col) - 1 : 79
            StandardStream.error.write("\r\(line.prefix(width))\u{1B}[K")
        }
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.activate()
        self.timer = timer
    }

    /// Removes the line. Returns when it is gone.
    func stop() {
        timer?.cancel()
        queue.sync {
            if seconds.withLock(\.self) > 0 { StandardStream.error.write("\r\u{1B}[K") }
        }
    }
}
