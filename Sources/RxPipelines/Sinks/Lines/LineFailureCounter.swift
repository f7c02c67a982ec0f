import RxEngine
import RxLinux
import Synchronization

/// Counts the refused lines of a sink whose events are dropped, and records when lines can be written again.
final class LineFailureCounter: Sendable {
    private let context: SinkContext
    private let total = Atomic(0)
    /// The number of lines that were refused since the last one was written.
    private let consecutive = Atomic(0)
    /// The number of these whose events were dropped.
    private let consecutiveDropped = Atomic(0)

    init(_ context: SinkContext) {
        self.context = context
    }

    var count: Int { total.load(ordering: .relaxed) }

    /// The work that hands lines to a writer, each with a receipt that ends the line's job. If the work is cancelled,
    /// the lines whose writing has not begun are cancelled.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - lines: the jobs of the batch.
    ///   - handOver: passes a line and its receipt to the writer.
    func work<Line: Sendable>(
        _ batch: SinkBatch, _ lines: [SinkJob<Line>], _ handOver: @escaping @Sendable (Line, WriteReceipt) -> Void
    ) -> Observable<Never> {
        .create { observer in
            // The observer is released on disposal: a line that is never written must not retain the subscription.
            let completed = Locked<AnyObserver<Never>?>(observer)
            let left = CompletionLatch(lines.count) { completed.withLock { $0.take() }?.onCompleted() }
            let receipts = lines.map { line in
                WriteReceipt { [weak self] outcome in
                    self?.end(line.index, of: batch, outcome)
                    left.countDown()
                }
            }
            let cancels = receipts.map { receipt in { @Sendable [weak receipt] in receipt?.cancel() } }
            for (line, receipt) in zip(lines, receipts) { handOver(line.job, receipt) }
            return Disposables.create {
                for cancel in cancels { cancel() }
                let released = completed.withLock { $0.take() }
                withExtendedLifetime(released) {}
            }
        }
    }

    private func end(_ index: Int, of batch: SinkBatch, _ outcome: WriteReceipt.Outcome) {
        switch outcome {
        case .written:
            written()
            batch.finish(index)
        case .failed(let error):
            refused()
            batch.fail(index, error)
        case .cancelled: batch.cancelJob(index)
        }
    }

    /// Counts a refused line. Its event fails, which is recorded; with `onError` it is not dropped.
    func refused() {
        if !context.hasOnError {
            total.add(1, ordering: .relaxed)
            consecutiveDropped.add(1, ordering: .relaxed)
        }
        consecutive.add(1, ordering: .relaxed)
    }

    /// Ends a run of refused lines: a line was written.
    func written() {
        let before = consecutive.exchange(0, ordering: .relaxed)
        guard before > 0 else { return }
        let dropped = consecutiveDropped.exchange(0, ordering: .relaxed)
        context.record(
            .notice,
            "works again; \(counted(before, "line was", "lines were")) \(dropped > 0 ? "dropped" : "refused")",
            dropped: dropped > 0 ? dropped : nil)
    }
}
