import RxEngine
import RxLinux
import Synchronization

/// Counts the lines of a sink that were refused and whose events are dropped, and records when lines can be written again.
final class LineFailures: Sendable {
    private let context: SinkContext
    private let total = Atomic(0)
    /// How many in a row, up to the last.
    private let inARow = Atomic(0)
    /// Of how many of those the events were dropped.
    private let droppedInARow = Atomic(0)

    init(_ context: SinkContext) {
        self.context = context
    }

    var count: Int { total.load(ordering: .relaxed) }

    /// The work of handing lines over, each with a receipt. Each line ends its own job; cancelled, those end whose
    /// writing has not begun.
    func work<Line: Sendable>(
        _ batch: SinkBatch, _ lines: [SinkJob<Line>], _ handOver: @escaping @Sendable (Line, WriteReceipt) -> Void
    ) -> Observable<Never> {
        .create { observer in
            // A line that is never written must not hold the subscription.
            let completed = Locked<AnyObserver<Never>?>(observer)
            let left = Countdown(lines.count) { completed.withLock { $0.take() }?.onCompleted() }
            let receipts = lines.map { line in
                WriteReceipt { [weak self] outcome in
                    self?.end(line.place, of: batch, outcome)
                    left.count()
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

    private func end(_ place: Int, of batch: SinkBatch, _ outcome: WriteReceipt.Outcome) {
        switch outcome {
        case .written:
            written()
            batch.finish(place)
        case .failed(let error):
            refused()
            batch.fail(place, error)
        case .cancelled: batch.giveBack(place)
        }
    }

    /// A line was refused whose event fails, which is recorded. With `onError`, the event is not dropped.
    func refused() {
        if !context.hasOnError {
            total.add(1, ordering: .relaxed)
            droppedInARow.add(1, ordering: .relaxed)
        }
        inARow.add(1, ordering: .relaxed)
    }

    /// A line was written.
    func written() {
        let before = inARow.exchange(0, ordering: .relaxed)
        guard before > 0 else { return }
        let dropped = droppedInARow.exchange(0, ordering: .relaxed)
        context.record(
            .notice,
            "can be written to again; \(counted(before, "line was", "lines were")) \(dropped > 0 ? "dropped" : "refused")",
            dropped: dropped > 0 ? dropped : nil)
    }
}
