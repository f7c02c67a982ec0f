import CLinux
import Dispatch
import Glibc
import RxEngine

// Unchecked: what changes is behind the lock.
/// Calls back on a queue when a descriptor that it owns is ready; disposing closes the descriptor.
class DescriptorWatch: Cancelable, @unchecked Sendable {
    private enum State {
        case waiting
        /// The body runs, or is about to.
        case awake
        /// The body has run, and nobody has asked to wait again.
        case idle
        case disposed
    }

    private let descriptor: Int32
    private let events: UInt32
    private let repeats: Bool
    private let queue: DispatchQueue
    /// What gets the body onto the queue. A block for each time would be made by the loop's thread and end in the stock
    /// of spare ones of another.
    private let calls: any DispatchSourceUserDataOr
    private let onClosed: (@Sendable () -> Void)?
    private let lock = Lock()
    private var body: (@Sendable () -> Void)?
    private var state = State.waiting
    /// What the loop knows it by; `nil` where it does not.
    private var key: UInt64?
    /// A file is always ready, so that the kernel does not watch it.
    private var isAlwaysReady = false

    /// Takes over `descriptor`, and waits.
    ///
    /// - Parameters:
    ///   - repeats: whether it waits again when `body` has run.
    ///   - onClosed: runs on the queue when the descriptor is closed, and nothing is called back any more.
    fileprivate init(
        _ descriptor: Int32, for events: UInt32, repeats: Bool, on queue: DispatchQueue,
        onClosed: (@Sendable () -> Void)?, body: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.events = events
        self.repeats = repeats
        self.queue = queue
        self.onClosed = onClosed
        self.body = body
        calls = DispatchSource.makeUserDataOrSource(queue: queue)
        calls.setEventHandler { self.run() }
        calls.activate()
        register()
    }

    private func register() {
        let isLacking = lock.locked { () -> Bool in
            guard state == .waiting else { return false }
            let added = DescriptorLoop.shared.add(self, descriptor, for: events)
            switch added.error {
            case 0: key = added.key
            case EMFILE, ENFILE, ENOMEM, ENOSPC: return true
            default: isAlwaysReady = true
            }
            return false
        }
        // There will be room again.
        if isLacking {
            queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.register() }
        } else if isAlwaysReady {
            wake()
        }
    }

    /// The descriptor is ready.
    func wake() {
        let isNews = lock.locked {
            guard state == .waiting else { return false }
            state = .awake
            return true
        }
        if isNews { calls.or(data: 1) }
    }

    private func run() {
        guard let body = lock.locked({ state == .awake ? body : nil }) else { return }
        if !repeats { lock.locked { if state == .awake { state = .idle } } }
        body()
        if repeats { wait(from: .awake) }
    }

    private func wait(from before: State) {
        let isReady = lock.locked { () -> Bool in
            guard state == before else { return false }
            state = .waiting
            if let key { DescriptorLoop.shared.again(key, descriptor, for: events) }
            return isAlwaysReady
        }
        if isReady { wake() }
    }

    /// Waits once more, where it does not do so by itself.
    final func waitAgain() {
        wait(from: .idle)
    }

    final var isDisposed: Bool {
        lock.locked { state == .disposed }
    }

    final func dispose() {
        let (isFirst, known, dropped) = lock.locked { () -> (Bool, UInt64?, (@Sendable () -> Void)?) in
            guard state != .disposed else { return (false, nil, nil) }
            state = .disposed
            return (true, key, body.take())
        }
        guard isFirst else { return }
        if let known { DescriptorLoop.shared.remove(known, descriptor) }
        calls.cancel()
        // The body may be running, and reading: what is closed now may be another file's descriptor the next moment.
        queue.async { [descriptor, onClosed] in
            close(descriptor)
            onClosed?()
        }
        withExtendedLifetime(dropped) {}
    }
}

// Unchecked: it has nothing of its own that changes.
/// Calls back whenever a descriptor that it owns has something to read; disposing closes the descriptor.
final class ReadableDescriptor: DescriptorWatch, @unchecked Sendable {
    /// Takes over `descriptor`; `queue`, which is serial, calls back, and closes.
    init(
        _ descriptor: Int32, on queue: DispatchQueue, onClosed: (@Sendable () -> Void)? = nil,
        onReadable: @escaping @Sendable () -> Void
    ) {
        super.init(
            descriptor, for: rx_epoll_in, repeats: true, on: queue, onClosed: onClosed, body: onReadable)
    }
}

// Unchecked: as above.
/// Calls back when a descriptor that it owns can be written to, once for each time it is asked; disposing closes the
/// descriptor. A descriptor is writable nearly always: nobody asks unless there is something to write.
final class WritableDescriptor: DescriptorWatch, @unchecked Sendable {
    /// Takes over `descriptor`, and waits; `queue`, which is serial, calls back, and closes.
    init(_ descriptor: Int32, on queue: DispatchQueue, onWritable: @escaping @Sendable () -> Void) {
        super.init(
            descriptor, for: rx_epoll_out, repeats: false, on: queue, onClosed: nil, body: onWritable)
    }
}

// Unchecked: as above.
/// Calls back when a file of the kernel's, which it owns, has another content than when that was last asked, once for
/// each time it is asked; disposing closes the descriptor.
final class ChangingDescriptor: DescriptorWatch, @unchecked Sendable {
    /// `EPOLLPRI`: such a file can always be read.
    private static let urgent: UInt32 = 2

    /// Takes over `descriptor`, and waits; `queue`, which is serial, calls back, and closes.
    init(_ descriptor: Int32, on queue: DispatchQueue, onChange: @escaping @Sendable () -> Void) {
        super.init(descriptor, for: Self.urgent, repeats: false, on: queue, onClosed: nil, body: onChange)
    }
}
