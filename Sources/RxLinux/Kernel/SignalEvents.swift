import Dispatch
import RxEngine

extension ObservableType where Element == Int32 {
    /// Emits the number of a signal each time it arrives: ``ProcessSignals/observe(_:on:)`` with one signal.
    ///
    ///     try Signals.block([SIGTERM])        // before the program has a second thread
    ///     Observable.signal(SIGTERM).take(1).subscribe(onNext: { _ in stop() })
    ///
    /// Every thread must have the signal blocked. Never completes; fails with a ``SystemError`` if no descriptor can be
    /// made.
    ///
    /// - Parameters:
    ///   - signal: the number of the signal.
    ///   - queue: the serial queue that emits.
    public static func signal(
        _ signal: Int32, on queue: DispatchQueue = DispatchQueue(label: "rx.signal")
    ) -> Observable<Int32> {
        ProcessSignals.observe([signal], on: queue)
    }
}
