import Dispatch
import Glibc
import RxEngine

extension ObservableType where Element == InotifyEvent {
    /// Emits the events of the kernel about one file or directory, as they are.
    ///
    ///     write a, delete b                   ---w---d---
    ///     inotify(path, CLOSE_WRITE, …)       ---w---d---
    ///
    /// It watches neither the folders inside a directory nor one that takes its place, and says nothing of what was
    /// there before. ``FileWatcher`` does all of this, and survives a restart of the program.
    ///
    /// If the kernel had to drop events, one with the watch -1 takes their place. Completes when the watched file is
    /// deleted or unmounted, after the kernel's `IN_IGNORED`. Fails with a ``SystemError`` if it cannot be watched.
    ///
    /// - Parameters:
    ///   - path: the path of the file or directory.
    ///   - mask: the events, such as `IN_CLOSE_WRITE | IN_DELETE`.
    ///   - queue: the serial queue that emits.
    public static func inotify(
        path: String, mask: UInt32, on queue: DispatchQueue = DispatchQueue(label: "rx.inotify")
    ) -> Observable<InotifyEvent> {
        .create { observer in
            do {
                let descriptor = try Descriptor(
                    inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)), "making an inotify descriptor")
                guard inotify_add_watch(descriptor.number, path, mask) >= 0 else {
                    throw SystemError.last("watching '\(path)'")
                }
                let number = descriptor.release()
                return ReadableDescriptor(number, on: queue) { InotifyEvent.read(from: number, observer) }
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }
}

extension InotifyEvent {
    /// Room for 16 events with the longest names.
    private static let bufferSize = 16 * (MemoryLayout<inotify_event>.size + Int(NAME_MAX) + 1)

    /// Emits the events that one read returns; the next call has the others.
    fileprivate static func read(from descriptor: Int32, _ observer: AnyObserver<InotifyEvent>) {
        withUnsafeTemporaryAllocation(byteCount: bufferSize, alignment: 8) { buffer in
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return }
            decode(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { event in
                observer.onNext(event)
                if event.has(IN_IGNORED) { observer.onCompleted() }
            }
        }
    }
}
