import CLinux
import Dispatch
import RxEngine

extension ObservableType where Element == Void {
    /// Emits when a process has ended, a child of this one or any other, and completes.
    ///
    ///     process 812           runs---
    ///     process(812)          -------()|
    ///
    /// The process is the one that has this number at the subscription; a later one with the same number is not
    /// confused with it. A child is not reaped. Fails with a ``SystemError`` if there is no such process, or no
    /// descriptor is left. ``CommandRunner/run(_:onStart:)`` starts a program, and emits its result.
    ///
    /// - Parameters:
    ///   - number: the number of the process.
    ///   - queue: the serial queue that emits.
    public static func process(
        _ number: Int32, on queue: DispatchQueue = DispatchQueue(label: "rx.process")
    ) -> Observable<Void> {
        .create { observer in
            do {
                let descriptor = try Descriptor(pidfd_open(number, 0), "watching the process \(number)")
                return ReadableDescriptor(descriptor.release(), on: queue) {
                    observer.onNext(())
                    observer.onCompleted()
                }
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }
}
