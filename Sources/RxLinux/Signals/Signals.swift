import CLinux
import Dispatch
import Glibc
import RxEngine

/// The signals sent to this process, as a sequence.
public enum Signals {
    /// Keeps these signals from interrupting the calling thread and every thread that it starts from now on: they wait
    /// for ``observe(_:on:)``. Called first thing in a program, before it has a second thread.
    public static func block(_ signals: [Int32]) throws(SystemError) {
        try mask(SIG_BLOCK, signals, "blocking signals")
    }

    /// Lets these signals interrupt the calling thread again, those that wait included.
    public static func unblock(_ signals: [Int32]) throws(SystemError) {
        try mask(SIG_UNBLOCK, signals, "unblocking signals")
    }

    private static func mask(_ how: Int32, _ signals: [Int32], _ doing: String) throws(SystemError) {
        var set = set(of: signals)
        let status = pthread_sigmask(how, &set, nil)
        if status != 0 { throw SystemError(status, doing) }
    }

    /// The numbers of these signals as they arrive, told on `queue`. Each must be blocked in every thread.
    ///
    /// Never ends. Several of one kind that arrive before the first is told are one, as always with signals.
    public static func observe(_ signals: [Int32], on queue: DispatchQueue) -> Observable<Int32> {
        .create { observer in
            var set = set(of: signals)
            do {
                let descriptor = try Descriptor(
                    signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC)), "making a signal descriptor"
                ).release()
                // One at a time: whoever has enough leaves the others for the next to observe.
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
