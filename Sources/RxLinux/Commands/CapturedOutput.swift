import Dispatch
import Glibc

// Unchecked: used only on its queue.
/// The output of a program on one stream, up to a limit.
final class CapturedOutput: @unchecked Sendable {
    private(set) var output = CommandResult.Output()
    /// Whether every writer has closed the pipe.
    private(set) var isAtEnd = false
    private let number: Int32
    private let limit: Int
    private var buffer: [UInt8] = []
    private var source: ReadableDescriptor?

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - reading: the reading end of the pipe.
    ///   - limit: the most bytes to keep; the rest is read and dropped.
    ///   - queue: the serial queue that reads.
    ///   - onEnd: called when every writer has closed the pipe.
    init(_ reading: consuming Descriptor, limit: Int, on queue: DispatchQueue, onEnd: @escaping @Sendable () -> Void) {
        number = reading.release()
        self.limit = max(0, limit)
        source = ReadableDescriptor(number, on: queue) { [weak self] in
            guard let self, !isAtEnd else { return }
            // A few blocks at a time, so that a program that never stops writing does not block the queue.
            read(atMost: 16)
            if isAtEnd { onEnd() }
        }
    }

    /// Reads until the pipe is empty, but at most `reads` blocks.
    private func read(atMost reads: Int) {
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: 1 << 16) }
        for _ in 0..<reads where !isAtEnd {
            let count = Glibc.read(number, &buffer, buffer.count)
            if count > 0 {
                keep(buffer[..<count])
            } else if count == 0 || errno != EAGAIN && errno != EINTR {
                isAtEnd = true
            } else {
                return
            }
        }
    }

    private func keep(_ bytes: ArraySlice<UInt8>) {
        let kept = bytes.prefix(limit - output.bytes.count)
        output.bytes += kept
        if kept.count < bytes.count { output.isTruncated = true }
    }

    /// Reads the rest, at most as much as a pipe can hold, and closes the pipe.
    func finish() {
        if !isAtEnd { read(atMost: 16) }
        isAtEnd = true
        buffer = []
        source.take()?.dispose()
    }

    deinit {
        source?.dispose()
    }
}
