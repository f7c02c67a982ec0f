import RxEngine
import RxLinux

/// Asks the service manager for more time while sources are being armed, as long as there is progress: a start with
/// many sources must not look like one that hangs.
final class ArmingTimeout: Sendable {
    /// The interval between two checks of the progress.
    static let period = Duration.seconds(5)
    /// The time that each request asks for, from that moment on: as much as `TimeoutStartSec=` of the unit.
    static let span = Duration.seconds(30)

    private let scheduler: any SchedulerType
    private let extend: @Sendable () -> Void
    private let running = SerialDisposable()

    init(
        on scheduler: any SchedulerType = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.arming"),
        extend: @escaping @Sendable () -> Void = { try? ServiceManager.notify(.extendTimeout(span)) }
    ) {
        self.scheduler = scheduler
        self.extend = extend
    }

    /// Starts to watch this progress, instead of the previous one.
    ///
    /// - Parameter progress: a number that changes whenever something more is armed.
    func begin(_ progress: @escaping @Sendable () -> Int) {
        running.disposable = Observable<Int>.interval(Self.period.interval, scheduler: scheduler)
            .map { _ in progress() }
            .startWith(progress())
            .distinctUntilChanged()
            .skip(1)
            .subscribe(onNext: { [extend] _ in extend() })
    }

    /// Stops: the sources are armed, or are no longer wanted.
    func end() {
        running.disposable = Disposables.create()
    }
}
