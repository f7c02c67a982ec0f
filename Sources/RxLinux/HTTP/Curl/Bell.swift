import CCurl
import Glibc

/// Wakes a thread that waits for descriptors.
final class Bell: Sendable {
    /// Has something to read from when it is rung until it is silenced.
    let descriptor: Int32

    init() throws(SystemError) {
        descriptor = try Descriptor(rx_loop_make_bell(), "making what wakes an HTTP client").release()
    }

    deinit {
        // Nobody can ring any more.
        close(descriptor)
    }

    func ring() {
        var one: UInt64 = 1
        write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func silence() {
        var count: UInt64 = 0
        read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
