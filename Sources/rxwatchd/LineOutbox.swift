import RxControl
import RxEngine
import RxLinux
import RxPipelines

/// Writes the lines of all sinks to standard output, in the order in which they arrive. No caller waits: a sink puts
/// its next lines when it has the outcome of the last ones.
final class LineOutbox: Sendable {
    private let outbox: Outbox<(line: String, receipt: WriteReceipt)>

    /// - Parameters:
    ///   - waitForRoom: blocks until standard output is writable. A line can be cancelled until then; a pipe takes one
    ///     of up to 4096 bytes as a whole.
    ///   - print: writes a line, and returns the error if that fails.
    init(
        waitForRoom: @escaping @Sendable () -> Void = { StandardStream.output.waitUntilWritable() },
        print: @escaping @Sendable (String) -> SystemError? = { line in
            StandardStream.output.print(line).map { SystemError($0, "writing to it") }
        }
    ) {
        outbox = Outbox("rx.stdout", capacity: .max) { line, receipt in
            waitForRoom()
            if receipt.begin() { receipt.end(print(line).map { .failed($0) } ?? .written) }
        }
    }

    /// The number of lines in the queue.
    var queued: Int { outbox.queued }

    /// Queues a line; the receipt gets its outcome.
    func put(_ line: String, _ receipt: WriteReceipt) {
        outbox.put((line, receipt))
    }

    /// Waits until all queued lines are written, but no longer than `deadline`.
    ///
    /// - Returns: whether they were written in time.
    @discardableResult
    func drain(within deadline: Duration) -> Bool {
        outbox.drain(within: deadline)
    }
}
