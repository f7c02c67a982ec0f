import CLinux
import Dispatch
import Glibc
import RxEngine

/// The host's time of day.
public enum WallClock {
    /// An observable that emits when the time of day is set, or the host resumes from suspend.
    ///
    /// The time may be set by hand or by the time service.
    ///
    /// Elements are delivered on a queue of its own; one descriptor serves every subscription. It never completes; it
    /// fails on subscription with a ``SystemError`` if the kernel provides no timer.
    public static var jumps: Observable<Void> {
        .create { observer in
            do {
                return try JumpWatch.shared.join { observer.onNext(()) }
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }
}

// Unchecked: the lock protects all mutable state.
/// A timer that the kernel cancels when the time of day jumps, which exists while there is a subscriber.
private final class JumpWatch: @unchecked Sendable {
    /// One timer is enough for a process, because there is one clock.
    static let shared = JumpWatch()

    private let queue = DispatchQueue(label: "rx.wall-clock")
    private let lock = Lock()
    private var listeners: [Int: @Sendable () -> Void] = [:]
    private var lastKey = 0
    private var source: ReadableDescriptor?

    func join(_ listener: @escaping @Sendable () -> Void) throws(SystemError) -> any Disposable {
        let (key, starts) = lock.locked {
            lastKey += 1
            listeners[lastKey] = listener
            return (lastKey, source == nil)
        }
        if starts {
            do {
                try start()
            } catch {
                leave(key)
                throw error
            }
        }
        return Disposables.create { self.leave(key) }
    }

    private func start() throws(SystemError) {
        let timer = try Descriptor(
            timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC)), "making a timer for the time of day")
        try Self.arm(timer.number)
        let number = timer.release()
        let made = ReadableDescriptor(number, on: queue) { self.read(number) }
        let spare = lock.locked { () -> ReadableDescriptor? in
            guard source == nil, !listeners.isEmpty else { return made }
            source = made
            return nil
        }
        spare?.dispose()
    }

    /// Sets the timer some centuries ahead: it never fires, it is cancelled.
    private static func arm(_ timer: Int32) throws(SystemError) {
        var time = itimerspec()
        time.it_value.tv_sec = 9_000_000_000
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        guard timerfd_settime(timer, flags, &time, nil) == 0 else {
            throw SystemError.last("setting a timer for the time of day")
        }
    }

    private func read(_ timer: Int32) {
        var count: UInt64 = 0
        let isCancelled = Glibc.read(timer, &count, MemoryLayout<UInt64>.size) < 0 && errno == ECANCELED
        // Set the timer again first, so that no jump is missed.
        try? Self.arm(timer)
        guard isCancelled else { return }
        for listener in lock.locked({ Array(listeners.values) }) { listener() }
    }

    private func leave(_ key: Int) {
        let (listener, unused) = lock.locked {
            let listener = listeners.removeValue(forKey: key)
            return (listener, listeners.isEmpty ? source.take() : nil)
        }
        unused?.dispose()
        withExtendedLifetime(listener) {}
    }
}
