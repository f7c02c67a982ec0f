import Dispatch
import Glibc

// Unchecked: used on its queue alone.
/// What a program writes on one of its streams, as far as it is kept.
final class CapturedOutput: @unchecked Sendable {
    private(set) var output = CommandResult.Output()
    /// Whether whoever could write has closed it.
    private(set) var isAtEnd = false
    private let number: Int32
    private let limit: Int
    private var buffer: [UInt8] = []
    private var source: ReadableDescriptor?

    /// - Parameter onEnd: called when it is at its end.
    init(_ reading: consuming Descriptor, limit: Int, on queue: DispatchQueue, onEnd: @escaping @Sendable () -> Void) {
        number = reading.release()
        self.limit = max(0, limit)
        source = ReadableDescriptor(number, on: queue) { [weak self] in
            guard let self, !isAtEnd else { return }
            // A few at a time, so that a program that never stops writing does not keep the queue from anything else.
            read(atMost: 16)
            if isAtEnd { onEnd() }
        }
    }

    /// Reads what is there.
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

    /// Reads what is left, up to what a pipe holds at most, and closes.
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
