import RxEngine
import RxLinux
import Synchronization

/// Counts the lines of a sink that could not be written, and records when that begins and when it is over.
final class LineFailures: Sendable {
    private let surroundings: SinkSurroundings
    private let total = Atomic(0)
    /// How many in a row, up to the last.
    private let inARow = Atomic(0)

    init(_ surroundings: SinkSurroundings) {
        self.surroundings = surroundings
    }

    var count: Int { total.load(ordering: .relaxed) }

    /// The work of handing lines over: it completes when the receipt is released.
    func work(_ handOver: @escaping @Sendable (LineReceipt) -> Void) -> Observable<JobFailure> {
        .create { observer in
            let receipt = LineReceipt {
                self.written($0)
            } onRelease: {
                observer.onCompleted()
            }
            handOver(receipt)
            return Disposables.create { [weak receipt] in receipt?.cancel() }
        }
    }

    /// A line was written, or lost because of an error.
    func written(_ error: SystemError?) {
        if let error { failed(error) } else { succeeded() }
    }

    /// A line was refused whose event fails, which is recorded.
    func refused() {
        total.add(1, ordering: .relaxed)
        inARow.add(1, ordering: .relaxed)
    }

    private func succeeded() {
        let before = inARow.exchange(0, ordering: .relaxed)
        guard before > 0 else { return }
        surroundings.record(
            .notice, "can be written to again; \(before) line\(before == 1 ? " was" : "s were") dropped",
            dropped: before)
    }

    private func failed(_ error: SystemError) {
        total.add(1, ordering: .relaxed)
        guard inARow.add(1, ordering: .relaxed).oldValue == 0 else { return }
        surroundings.record(
            .err, "failed: \(error); lines are dropped until one can be written again", error: error)
    }
}
