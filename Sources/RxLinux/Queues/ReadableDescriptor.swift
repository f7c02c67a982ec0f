import Dispatch
import Glibc
import RxEngine
import Synchronization

/// Calls back whenever a descriptor that it owns has something to read; disposing closes the descriptor.
final class ReadableDescriptor: Cancelable {
    // Unsafe in name only: dispatch sources may be used from any thread, but are not annotated on Linux.
    nonisolated(unsafe) private let source: any DispatchSourceRead
    private let callback: Callback

    /// Takes over `descriptor`, which must not block.
    init(_ descriptor: Int32, on queue: DispatchQueue, onReadable: @escaping @Sendable () -> Void) {
        let callback = Callback(onReadable)
        self.callback = callback
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { callback.current?() }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    var isDisposed: Bool {
        callback.current == nil
    }

    func dispose() {
        callback.drop()
        source.cancel()
    }

    /// The queue lets go of a cancelled source when it gets round to it; what was called back goes at once.
    private final class Callback: Sendable {
        private let body: Mutex<(@Sendable () -> Void)?>

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = Mutex(body)
        }

        var current: (@Sendable () -> Void)? {
            body.withLock { $0 }
        }

        func drop() {
            let dropped = body.withLock { $0.take() }
            withExtendedLifetime(dropped) {}
        }
    }
}
