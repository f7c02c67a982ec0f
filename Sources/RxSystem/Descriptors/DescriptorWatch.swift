import CLinux
import Dispatch
import Glibc
import RxEngine

// Unchecked: the lock guards all mutable state.
/// A watch that owns a descriptor and calls its body on a queue when the descriptor is ready. Disposing closes it.
package class DescriptorWatch: Cancelable, @unchecked Sendable {
    /// Whether the watch waits for the descriptor.
    private enum State {
        case waiting
        /// The descriptor is ready, and the body runs or will run.
        case ready
        /// The body has run, and `waitAgain` was not called.
        case idle
        case disposed
    }

    private let descriptor: Int32
    private let events: UInt32
    private let repeats: Bool
    private let queue: DispatchQueue
    /// Schedules the body on the queue. A block for each event would be allocated by the loop's thread and collect in
    /// the free list of another thread.
    private let trigger: any DispatchSourceUserDataOr
    private let onClosed: (@Sendable () -> Void)?
    private let lock = Lock()
    private var body: (@Sendable () -> Void)?
    private var state = State.waiting
    /// The key of the registration with the loop; `nil` while there is none.
    private var key: UInt64?
    /// Whether the descriptor is that of a regular file, which epoll rejects since it is always ready.
    private var isAlwaysReady = false

    /// Takes ownership of `descriptor`, and starts waiting.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor.
    ///   - events: the epoll events to wait for.
    ///   - repeats: whether to wait again after each call of `body`.
    ///   - queue: the serial queue that calls `body` and closes the descriptor.
    ///   - onClosed: called on the queue when the descriptor is closed; `body` is not called any more.
    ///   - body: called when the descriptor is ready.
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
        trigger = DispatchSource.makeUserDataOrSource(queue: queue)
        trigger.setEventHandler { self.run() }
        trigger.activate()
        register()
    }

    private func register() {
        let lacksResources = lock.locked { () -> Bool in
            guard state == .waiting else { return false }
            let added = DescriptorLoop.shared.add(self, descriptor, for: events)
            switch added.error {
            case 0: key = added.key
            case EMFILE, ENFILE, ENOMEM, ENOSPC: return true
            default: isAlwaysReady = true
            }
            return false
        }
        // The shortage may be temporary: try again.
        if lacksResources {
            queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.register() }
        } else if isAlwaysReady {
            wake()
        }
    }

    /// Schedules the body. The loop calls this when the descriptor is ready.
    package func wake() {
        let becomesReady = lock.locked {
            guard state == .waiting else { return false }
            state = .ready
            return true
        }
        if becomesReady { trigger.or(data: 1) }
    }

    private func run() {
        guard let body = lock.locked({ state == .ready ? body : nil }) else { return }
        if !repeats { lock.locked { if state == .ready { state = .idle } } }
        body()
        if repeats { wait(from: .ready) }
    }

    private func wait(from before: State) {
        let isReady = lock.locked { () -> Bool in
            guard state == before else { return false }
            state = .waiting
            if let key { DescriptorLoop.shared.rearm(key, descriptor, for: events) }
            return isAlwaysReady
        }
        if isReady { wake() }
    }

    /// Waits for the next event, if the watch does not repeat by itself.
    package final func waitAgain() {
        wait(from: .idle)
    }

    package final var isDisposed: Bool {
        lock.locked { state == .disposed }
    }

    package final func dispose() {
        let (isFirst, registered, dropped) = lock.locked { () -> (Bool, UInt64?, (@Sendable () -> Void)?) in
            guard state != .disposed else { return (false, nil, nil) }
            state = .disposed
            return (true, key, body.take())
        }
        guard isFirst else { return }
        if let registered { DescriptorLoop.shared.remove(registered, descriptor) }
        trigger.cancel()
        // Close on the queue: the body may be reading now, and the number of a closed descriptor may be reused at once.
        queue.async { [descriptor, onClosed] in
            close(descriptor)
            onClosed?()
        }
        withExtendedLifetime(dropped) {}
    }
}

// Unchecked: it adds no state to its superclass.
/// A watch that calls back when its descriptor is readable. Disposing closes the descriptor.
package final class ReadableDescriptor: DescriptorWatch, @unchecked Sendable {
    /// Takes ownership of `descriptor`, and starts waiting.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor.
    ///   - repeats: whether to wait again by itself after each call.
    ///   - queue: the serial queue that calls back and closes the descriptor.
    ///   - onClosed: called on the queue when the descriptor is closed.
    ///   - onReadable: called when the descriptor is readable.
    package init(
        _ descriptor: Int32, repeats: Bool = true, on queue: DispatchQueue, onClosed: (@Sendable () -> Void)? = nil,
        onReadable: @escaping @Sendable () -> Void
    ) {
        super.init(
            descriptor, for: rx_epoll_in, repeats: repeats, on: queue, onClosed: onClosed, body: onReadable)
    }
}

// Unchecked: as above.
/// A watch that calls back when its descriptor is writable: once, and once more after each `waitAgain`, or each time.
///
/// Disposing closes the descriptor. Since a descriptor is nearly always writable, wait only with something to write.
package final class WritableDescriptor: DescriptorWatch, @unchecked Sendable {
    /// Takes ownership of `descriptor`, and starts waiting; the serial `queue` calls back and closes.
    package init(
        _ descriptor: Int32, repeats: Bool = false, on queue: DispatchQueue, onWritable: @escaping @Sendable () -> Void
    ) {
        super.init(
            descriptor, for: rx_epoll_out, repeats: repeats, on: queue, onClosed: nil, body: onWritable)
    }
}

// Unchecked: as above.
/// A watch that calls back once, and once more after each `waitAgain`, when the content of a kernel file has changed.
///
/// Disposing closes the descriptor.
package final class ChangingDescriptor: DescriptorWatch, @unchecked Sendable {
    /// `EPOLLPRI`, which reports a change: such a file is always readable.
    private static let urgent: UInt32 = 2

    /// Takes ownership of `descriptor`, and starts waiting; the serial `queue` calls back and closes.
    package init(_ descriptor: Int32, on queue: DispatchQueue, onChange: @escaping @Sendable () -> Void) {
        super.init(descriptor, for: Self.urgent, repeats: false, on: queue, onClosed: nil, body: onChange)
    }
}
