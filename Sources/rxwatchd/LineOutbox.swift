import RxControl
import RxEngine
import RxLinux
import RxPipelines

/// Writes lines to standard output, those of all sinks in the order in which they come. No caller waits: a sink puts no
/// more lines before it knows what became of the last ones.
final class LineOutbox: Sendable {
    private let outbox: Outbox<(line: String, receipt: WriteReceipt)>

    /// - Parameter waitForRoom: waits until standard output takes something. A line can be cancelled until then; a pipe
    ///   takes one of up to 4096 bytes whole.
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

    var queued: Int { outbox.queued }

    /// Queues a line.
    func put(_ line: String, _ receipt: WriteReceipt) {
        outbox.put((line, receipt))
    }

    /// Waits until what was queued has been written, but no longer than `deadline`.
    @discardableResult
    func drain(within deadline: Duration) -> Bool {
        outbox.drain(within: deadline)
    }
}
