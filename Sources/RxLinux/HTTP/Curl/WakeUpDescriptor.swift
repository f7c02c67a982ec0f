import CCurl
import Glibc

/// A descriptor that wakes a thread that waits for descriptors.
final class WakeUpDescriptor: Sendable {
    /// Readable from `signal()` to `reset()`.
    let descriptor: Int32

    init() throws(SystemError) {
        descriptor = try Descriptor(rx_loop_make_event(), "creating the wake-up descriptor of an HTTP client").release()
    }

    deinit {
        // Nothing can signal any more.
        close(descriptor)
    }

    func signal() {
        var one: UInt64 = 1
        write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func reset() {
        var count: UInt64 = 0
        read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
