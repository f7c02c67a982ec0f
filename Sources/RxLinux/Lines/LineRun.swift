import Dispatch
import Glibc
import RxEngine
import Synchronization

// Unchecked: touched on its queue alone, but for what is atomic.
/// One subscription to lines.
final class LineRun: Cancelable, @unchecked Sendable {
    typealias Reopen = @Sendable () throws(SystemError) -> Int32

    private let observer: AnyObserver<Line>
    private let queue: DispatchQueue
    private let disposed = Atomic(false)
    private var splitter: LineSplitter
    private var block = [UInt8](repeating: 0, count: 1 << 16)
    /// What is read from, or waited for.
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

    /// Reads from `descriptor` to its end, and then from what `reopen` opens.
    func read(from descriptor: consuming Descriptor, reopen: Reopen? = nil) {
        self.reopen = reopen
        let number = descriptor.release()
        current.disposable = ReadableDescriptor(number, on: queue) { self.readable(number) }
    }

    private func readable(_ number: Int32) {
        // A few blocks at a time, so that whatever else is on the queue gets its turn.
        for turn in 0..<16 where !isDisposed {
            // A descriptor may be one that blocks, since its flags are its owner's. A FIFO is ours and does not; what
            // was left in it by a writer who had gone when it was opened, it does not say is the end until it is read.
            guard reopen != nil && turn > 0 || isReady(number) else { return }
            let count = Glibc.read(number, &block, block.count)
            if count > 0 {
                splitter.take(block[..<count]) { line in
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
            // Opened before the old one is closed, so that a writer who comes just now finds a reader.
            let number = try reopen()
            current.disposable = ReadableDescriptor(number, on: queue) { self.readable(number) }
        } catch {
            fail(error)
        }
    }

    /// Connects to the first of these addresses that answers.
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
                    // A descriptor of its own for each source: each closes its own.
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
