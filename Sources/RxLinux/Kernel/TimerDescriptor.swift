import CLinux
import Dispatch
import Glibc
import RxEngine

/// A clock of the kernel, for a timer.
public enum KernelClock: Sendable, Hashable {
    /// The time since the host has started, without the time that it was suspended.
    case monotonic
    /// The time since the host has started.
    case boottime
    /// The time of day, as it is when the timer is set.
    case realtime

    fileprivate var number: Int32 {
        switch self {
        case .monotonic: CLOCK_MONOTONIC
        case .boottime: CLOCK_BOOTTIME
        case .realtime: CLOCK_REALTIME
        }
    }
}

extension ObservableType where Element == UInt64 {
    /// Emits how often a timer of the kernel has expired since the element before.
    ///
    ///     timerfd(after: 2, every: 3)                   --1--1--1--1
    ///     the same, while the observer is busy          --1-----2--1
    ///
    /// Operators such as `interval` share one timer of a scheduler; this one has a descriptor of its own, and a clock
    /// of the program's choice. Without a period it completes after the one element. Fails with a ``SystemError`` if no
    /// timer can be made.
    ///
    /// - Parameters:
    ///   - delay: the time until it expires for the first time; at once if it is not positive.
    ///   - period: the time between two expirations; `nil` for none after the first. One that is not positive traps.
    ///   - clock: measures the time.
    ///   - queue: the serial queue that emits.
    public static func timerfd(
        after delay: Duration, every period: Duration? = nil, clock: KernelClock = .monotonic,
        on queue: DispatchQueue = DispatchQueue(label: "rx.timer")
    ) -> Observable<UInt64> {
        precondition(period ?? .seconds(1) > .zero, "timerfd(after:every:): the period must be positive")
        return .create { observer in
            do {
                let timer = try Descriptor(
                    timerfd_create(clock.number, Int32(TFD_NONBLOCK | TFD_CLOEXEC)), "making a timer")
                // A delay of zero would disarm it.
                var time = itimerspec(
                    it_interval: timespec(period ?? .zero), it_value: timespec(max(delay, .nanoseconds(1))))
                guard timerfd_settime(timer.number, 0, &time, nil) == 0 else {
                    throw SystemError.last("setting a timer")
                }
                let number = timer.release()
                return ReadableDescriptor(number, on: queue) {
                    var count: UInt64 = 0
                    guard read(number, &count, MemoryLayout<UInt64>.size) == MemoryLayout<UInt64>.size else { return }
                    observer.onNext(count)
                    if period == nil { observer.onCompleted() }
                }
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }
}

extension timespec {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
