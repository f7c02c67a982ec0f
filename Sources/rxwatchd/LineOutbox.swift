import RxControl
import RxEngine
import RxLinux
import RxPipelines

/// Writes lines to standard output, those of all sinks in the order in which they come. No caller waits: a sink puts no more lines
/// before it has the receipt of the last ones.
final class LineOutbox: Sendable {
    private let outbox: Outbox<(line: String, receipt: LineReceipt)>

    init(
        print: @escaping @Sendable (String) -> SystemError? = { line in
            StandardStream.output.print(line).map { SystemError($0, "writing to it") }
        }
    ) {
        outbox = Outbox("rx.stdout", capacity: .max) {
            if !$0.receipt.isCancelled { $0.receipt.written(print($0.line)) }
        }
    }

    var queued: Int { outbox.queued }

    /// Queues a line, and holds the receipt until it is written.
    func put(_ line: String, _ receipt: LineReceipt) {
        outbox.put((line, receipt))
    }

    /// Waits until what was queued has been written, but no longer than `deadline`.
    @discardableResult
    func drain(within deadline: Duration) -> Bool {
        outbox.drain(within: deadline)
    }
}
