import CLinux
import Dispatch
import Glibc
import RxEngine

/// The signals sent to this process, as an observable.
public enum ProcessSignals {
    /// Blocks these signals for the calling thread and every thread that it starts later.
    ///
    /// They then stay pending for ``observe(_:on:)``. A program calls this before it has a second thread.
    public static func block(_ signals: [Int32]) throws(SystemError) {
        try mask(SIG_BLOCK, signals, "blocking signals")
    }

    /// Unblocks these signals for the calling thread, which also delivers the pending ones.
    public static func unblock(_ signals: [Int32]) throws(SystemError) {
        try mask(SIG_UNBLOCK, signals, "unblocking signals")
    }

    private static func mask(_ how: Int32, _ signals: [Int32], _ doing: String) throws(SystemError) {
        var set = set(of: signals)
        let status = pthread_sigmask(how, &set, nil)
        if status != 0 { throw SystemError(status, doing) }
    }

    /// Emits the number of each of these signals that arrives, on `queue`.
    ///
    /// Every thread must have these signals blocked. The sequence never completes; it fails with a ``SystemError`` if
    /// no descriptor can be made. As always with signals, several of one number that arrive before the first is emitted
    /// become one element.
    public static func observe(_ signals: [Int32], on queue: DispatchQueue) -> Observable<Int32> {
        .create { observer in
            var set = set(of: signals)
            do {
                let descriptor = try Descriptor(
                    signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC)), "making a signal descriptor"
                ).release()
                // Read one signal at a time: an observer that disposes leaves the others pending for the next one.
                return ReadableDescriptor(descriptor, on: queue) {
                    if let signal = next(from: descriptor) { observer.onNext(signal) }
                }
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }

    private static func next(from descriptor: Int32) -> Int32? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return read(descriptor, &info, size) == size ? Int32(info.ssi_signo) : nil
    }

    private static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
