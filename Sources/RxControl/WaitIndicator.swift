import Dispatch
import RxDiagnostics
import Synchronization

/// Shows on the terminal of standard error what a command waits for, from a second on, until it is stopped.
package final class WaitIndicator {
    private let queue = DispatchQueue(label: "rx.wait-indicator")
    /// Counts the seconds; `nil` without a terminal.
    private let timer: (any DispatchSourceTimer)?
    private let shown = ShownSeconds()

    /// The seconds that the line shows; 0 before there is one.
    private final class ShownSeconds: Sendable {
        let count = Atomic(0)
    }

    /// Creates an indicator, which shows nothing for a second.
    ///
    /// - Parameter subject: what the command waits for, as in "waiting for the daemon".
    package init(_ subject: String) {
        guard StandardStream.error.isTerminal else {
            timer = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [shown] in
            let passed = shown.count.add(1, ordering: .relaxed).newValue
            let line = "waiting for \(subject), \(passed) s (Ctrl-C ends the wait)".shownOnTerminal(indentedBy: 0)
            // In one line, which can be erased.
            let width = max((StandardStream.error.columns ?? 80) - 1, 1)
            StandardStream.error.write("\r\(line.prefix(width))\u{1B}[K")
        }
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.activate()
        self.timer = timer
    }

    /// Removes the line. Returns when it is gone.
    package func stop() {
        timer?.cancel()
        queue.sync {
            if shown.count.load(ordering: .relaxed) > 0 { StandardStream.error.write("\r\u{1B}[K") }
        }
    }

    /// Returns what the closure returns, with an indicator while it runs.
    ///
    /// - Parameters:
    ///   - subject: what the command waits for.
    ///   - body: the work. It prints nothing.
    package static func during<Success, Failure: Error>(
        _ subject: String, _ body: () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        let indicator = WaitIndicator(subject)
        defer { indicator.stop() }
        return try body()
    }
}
