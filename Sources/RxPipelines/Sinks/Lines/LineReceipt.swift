import RxEngine
import RxLinux

/// What becomes of lines or records that are handed over to be written. Whoever writes them holds it until all are written, or could
/// not be.
package final class LineReceipt: Sendable {
    private typealias Calls = (onLine: @Sendable (SystemError?) -> Void, onRelease: @Sendable () -> Void)

    private let calls: Locked<Calls?>

    /// - Parameters:
    ///   - onLine: called for each line that was written, or lost because of an error.
    ///   - onRelease: called when nothing holds this any more.
    package init(
        onLine: @escaping @Sendable (SystemError?) -> Void, onRelease: @escaping @Sendable () -> Void = {}
    ) {
        calls = Locked((onLine: onLine, onRelease: onRelease))
    }

    deinit {
        calls.withLock { $0.take() }?.onRelease()
    }

    /// Whether lines that are not written yet need not be.
    package var isCancelled: Bool { calls.withLock { $0 == nil } }

    /// Calls nobody any more.
    package func cancel() {
        let released = calls.withLock { $0.take() }
        withExtendedLifetime(released) {}
    }

    /// A line was written, or lost because of an error.
    package func written(_ error: SystemError?) {
        calls.withLock { $0 }?.onLine(error)
    }
}
