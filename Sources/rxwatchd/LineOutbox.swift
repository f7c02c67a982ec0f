import Dispatch
import RxControl
import RxEngine
import RxLinux
import RxPipelines

/// Writes the lines of all sinks to standard output, in the order in which they arrive. No caller waits: a sink puts
/// its next lines when it has the outcome of the last ones.
final class LineOutbox: Sendable {
    /// The length from which a line may be written in parts.
    private static let shortestLongLine = 4096

    private let outbox: Outbox<(line: String, receipt: WriteReceipt)>

    /// - Parameters:
    ///   - stallTime: how long a line may wait until its reader counts as stalled, in milliseconds.
    ///   - waitForRoom: blocks until standard output is writable, for no longer than its argument in milliseconds, where
    ///     -1 for no limit, and returns whether it is. A line can be cancelled until then; a pipe takes one of up to 4096
    ///     bytes as a whole.
    ///   - print: writes a line, and returns the error if that fails.
    ///   - onStall: called when a line has waited for this time, and when it can be written, or has been.
    init(
        stallTime: Int32 = 5_000,
        waitForRoom: @escaping @Sendable (Int32) -> Bool = { StandardStream.output.waitUntilWritable(within: $0) },
        print: @escaping @Sendable (String) -> SystemError? = { line in
            StandardStream.output.print(line).map { SystemError($0, "writing to it") }
        },
        onStall: @escaping @Sendable (_ isStalled: Bool) -> Void = { _ in }
    ) {
        outbox = Outbox("rx.stdout", capacity: .max) { line, receipt in
            if !waitForRoom(stallTime) {
                onStall(true)
                _ = waitForRoom(-1)
                onStall(false)
            }
            guard receipt.begin() else { return }
            // A pipe with room for a part of a line counts as writable.
            let watch = line.utf8.count >= Self.shortestLongLine ? StallWatch(after: stallTime, onStall) : nil
            let error = print(line)
            watch?.end()
            receipt.end(error.map { .failed($0) } ?? .written)
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

/// Reports that a line is being written for longer than a time.
private final class StallWatch: Sendable {
    /// How far the line has got.
    private enum State {
        case writing, stalled, ended
    }

    private let state = Locked(State.writing)
    private let onStall: @Sendable (Bool) -> Void

    init(after time: Int32, _ onStall: @escaping @Sendable (Bool) -> Void) {
        self.onStall = onStall
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(time))) { [weak self] in
            guard let self, move(from: .writing, to: .stalled) else { return }
            onStall(true)
        }
    }

    func end() {
        if !move(from: .writing, to: .ended) { onStall(false) }
    }

    private func move(from old: State, to new: State) -> Bool {
        state.withLock { state in
            guard state == old else { return false }
            state = new
            return true
        }
    }
}
