import Dispatch
import Glibc
import RxEngine
import Synchronization

// Unchecked: used only on its queue, except the atomic flag and `current`, which is thread-safe.
/// One subscription to lines.
final class LineRun: Cancelable, @unchecked Sendable {
    typealias Reopen = @Sendable () throws(SystemError) -> Int32

    private let observer: AnyObserver<Line>
    private let queue: DispatchQueue
    private let disposed = Atomic(false)
    private var splitter: LineSplitter
    private var block = [UInt8](repeating: 0, count: 1 << 16)
    /// The descriptor that is read, or that is being connected.
    private let current = SerialDisposable()
    private var reopen: Reopen?

    init(_ observer: AnyObserver<Line>, limit: Int, on queue: DispatchQueue) {
        self.observer = observer
        self.queue = queue
        splitter = LineSplitter(limit: limit)
    }

    var isDisposed: Bool { disposed.load(ordering: .acquiring) }

    func dispose() {
        disposed.store(true, ordering: .releasing)
        current.dispose()
    }

    func fail(_ error: any Error) {
        dispose()
        observer.onError(error)
    }

    /// Reads `descriptor` to its end, and then the descriptors that `reopen` returns, one after the other.
    func read(from descriptor: consuming Descriptor, reopen: Reopen? = nil) {
        self.reopen = reopen
        let number = descriptor.release()
        current.disposable = ReadableDescriptor(number, on: queue) { self.readable(number) }
    }

    private func readable(_ number: Int32) {
        // A few blocks at a time, so that other work on the queue can run.
        for turn in 0..<16 where !isDisposed {
            // The owner of a descriptor sets its flags, so reading may block: check first. A FIFO is our own descriptor
            // and does not block; it must be read without the check, because `poll` does not report the end of a FIFO
            // whose writer closed it before it was opened here.
            guard reopen != nil && turn > 0 || isReady(number) else { return }
            let count = Glibc.read(number, &block, block.count)
            if count > 0 {
                splitter.receive(block[..<count]) { line in
                    observer.onNext(line)
                    return !isDisposed
                }
            } else if count == 0 {
                return end()
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                return fail(SystemError.last("reading lines"))
            }
        }
    }

    private func isReady(_ number: Int32) -> Bool {
        var ready = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&ready, 1, 0) > 0
    }

    private func end() {
        if let line = splitter.finish() { observer.onNext(line) }
        guard !isDisposed else { return }
        guard let reopen else {
            dispose()
            return observer.onCompleted()
        }
        do throws(SystemError) {
            // Open before closing the old descriptor, so that a new writer always finds a reader.
            let number = try reopen()
            current.disposable = ReadableDescriptor(number, on: queue) { self.readable(number) }
        } catch {
            fail(error)
        }
    }

    /// Connects to the first of these addresses that accepts, and reads from it.
    func connect(to addresses: [SocketAddress], _ doing: String) {
        attempt(addresses[...], doing, SystemError(EADDRNOTAVAIL, doing))
    }

    private func attempt(_ addresses: ArraySlice<SocketAddress>, _ doing: String, _ before: SystemError) {
        guard !isDisposed else { return }
        guard let address = addresses.first else { return fail(before) }
        do throws(SystemError) {
            let number = try address.beginConnecting(doing).release()
            current.disposable = WritableDescriptor(number, on: queue) { [self] in
                do throws(SystemError) {
                    try SocketAddress.finishConnecting(number, doing)
                    // Each watch closes its own descriptor, so the next one needs a duplicate.
                    read(from: try Descriptor.duplicate(number))
                } catch {
                    attempt(addresses.dropFirst(), doing, error)
                }
            }
        } catch {
            attempt(addresses.dropFirst(), doing, error)
        }
    }
}
