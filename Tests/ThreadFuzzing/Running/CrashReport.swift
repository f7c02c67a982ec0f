import Glibc
import Synchronization

/// Names the running case when the process crashes: a trap names the place, and not the program.
enum CrashReport {
    private static let seed = Atomic<UInt64>(0)
    private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
    // Unsafe in name only: written once, before the first case runs.
    nonisolated(unsafe) private static var earlier: [Int32: sigaction] = [:]

    /// Sets the running case.
    static func begin(seed: UInt64) {
        Self.seed.store(seed, ordering: .relaxed)
    }

    static func install() {
        for signal in signals {
            var action = sigaction()
            var before = sigaction()
            action.__sigaction_handler.sa_handler = { CrashReport.report($0) }
            guard sigaction(signal, &action, &before) == 0 else { continue }
            earlier[signal] = before
        }
    }

    /// Returns to the instruction that crashed, which crashes again for the earlier handler.
    private static func report(_ signal: Int32) {
        let seed = seed.load(ordering: .relaxed)
        // Room for the text and 20 digits, without a heap.
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            var count = 0
            for byte in "\nFAILED: crashed in seed ".utf8 {
                buffer[count] = byte
                count += 1
            }
            var divisor: UInt64 = 1
            while seed / divisor > 9 { divisor *= 10 }
            while divisor > 0 {
                buffer[count] = UInt8(48 + seed / divisor % 10)
                count += 1
                divisor /= 10
            }
            buffer[count] = 10
            _ = write(STDERR_FILENO, buffer.baseAddress, count + 1)
        }
        guard var before = earlier[signal] else { return }
        _ = sigaction(signal, &before, nil)
    }
}
