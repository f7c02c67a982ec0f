import Dispatch
import Glibc

// Unchecked: used only on its queue.
/// The output of a program on one stream, up to a limit, and to that of all running programs together.
final class CapturedOutput: @unchecked Sendable {
    /// The limit on the output of all running programs of this process.
    private static let all = MemoryQuota(limit: 32 << 20)

    private var output = CommandResult.Output()
    /// Whether every writer has closed the pipe.
    private(set) var isAtEnd = false
    private let number: Int32
    private let limit: Int
    private let memory: MemoryQuota.Reservation
    private var source: ReadableDescriptor?

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - reading: the reading end of the pipe.
    ///   - limit: the most bytes to keep; the rest is read and dropped.
    ///   - quota: the limit on the bytes that all running programs together have written.
    ///   - queue: the serial queue that reads.
    ///   - onEnd: called when every writer has closed the pipe.
    init(
        _ reading: consuming Descriptor, limit: Int, quota: MemoryQuota = all, on queue: DispatchQueue,
        onEnd: @escaping @Sendable () -> Void
    ) {
        number = reading.release()
        self.limit = max(0, limit)
        memory = quota.reservation()
        source = ReadableDescriptor(number, on: queue) { [weak self] in
            guard let self, !isAtEnd else { return }
            // A few blocks at a time, so that a program that never stops writing does not block the queue.
            read(atMost: 16)
            if isAtEnd { onEnd() }
        }
    }

    /// Reads until the pipe is empty, but at most `reads` blocks.
    private func read(atMost reads: Int) {
        // Hundreds of programs may run at once, so none has a buffer of its own.
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            for _ in 0..<reads where !isAtEnd {
                let count = Glibc.read(number, buffer.baseAddress, buffer.count)
                if count > 0 {
                    keep(buffer[..<count])
                } else if count == 0 || errno != EAGAIN && errno != EINTR {
                    isAtEnd = true
                } else {
                    return
                }
            }
        }
    }

    private func keep(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        if output.isTruncated { return }
        var kept = bytes.prefix(limit - output.bytes.count)
        if !memory.addInput(kept.count) {
            kept = kept.prefix(max(0, MemoryQuota.Reservation.smallInput - output.bytes.count))
            _ = memory.addInput(kept.count)
        }
        output.isTruncated = kept.count < bytes.count
        output.bytes += kept
    }

    /// Reads the rest, at most as much as a pipe can hold, and closes the pipe.
    func finish() {
        if !isAtEnd { read(atMost: 16) }
        isAtEnd = true
        source.take()?.dispose()
    }

    /// Takes the output, which no longer counts as that of a running program.
    func takeOutput() -> CommandResult.Output {
        defer { output = CommandResult.Output() }
        memory.setUnconditionally(0)
        return output
    }

    deinit {
        source?.dispose()
    }
}
