import Dispatch
import RxControl
import RxDiagnostics
import Synchronization

/// Shows on the terminal of standard error what a command waits for, from a second on, until it is stopped.
final class WaitIndicator {
    private let queue = DispatchQueue(label: "rx.wait-indicator")
    /// Counts the seconds; `nil` without a terminal.
    private let timer: (any DispatchSourceTimer)?

    /// - Parameter subject: what the command waits for, as in "waiting for the daemon".
    init(_ subject: String) {
        guard StandardStream.error.isTerminal else {
            timer = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let seconds = Atomic(0)
        timer.setEventHandler {
            let passed = seconds.add(1, ordering: .relaxed).newValue
            let line = "waiting for \(subject), \(passed) s (Ctrl-C ends the wait)".shownOnTerminal(indentedBy: 0)
            StandardStream.error.write("\r\(line)\u{1B}[K")
        }
        timer.setCancelHandler {
            if seconds.load(ordering: .relaxed) > 0 { StandardStream.error.write("\r\u{1B}[K") }
        }
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.activate()
        self.timer = timer
    }

    /// Removes the line. Returns when it is gone.
    func stop() {
        timer?.cancel()
        queue.sync {}
    }
}
