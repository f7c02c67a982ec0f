import CLinux
import Glibc
import RxEngine

// Unchecked: what changes is behind the lock.
/// The thread that waits for all watched descriptors of this process, and does nothing else.
///
/// Dispatch's own sources are not used for descriptors: on Linux they corrupt memory where many that hang up come and
/// go (swift-corelibs-libdispatch, issue 949).
final class DescriptorLoop: @unchecked Sendable {
    /// One is enough for a process, since all it does is wake others.
    static let shared = DescriptorLoop()

    private static let flags = rx_epoll_oneshot

    private let lock = Lock()
    private var watches: [UInt64: DescriptorWatch] = [:]
    private var lastKey: UInt64 = 0
    /// Made with the first watch, never closed.
    private var poll: Int32 = -1

    /// Watches a descriptor, once.
    ///
    /// - Returns: what stands for it, or the error number.
    func add(_ watch: DescriptorWatch, _ descriptor: Int32, for events: UInt32) -> (key: UInt64, error: Int32) {
        lock.locked {
            if poll < 0 {
                poll = epoll_create1(Int32(EPOLL_CLOEXEC))
                guard poll >= 0 else { return (0, errno) }
                startThread(poll)
                DescriptorReserve.prepareDispatch()
            }
            lastKey += 1
            watches[lastKey] = watch
            let error = change(EPOLL_CTL_ADD, descriptor, lastKey, events)
            if error != 0 { watches[lastKey] = nil }
            return (lastKey, error)
        }
    }

    /// Watches it once more.
    func again(_ key: UInt64, _ descriptor: Int32, for events: UInt32) {
        lock.locked { _ = change(EPOLL_CTL_MOD, descriptor, key, events) }
    }

    /// Watches it no more; it may be closed then.
    func remove(_ key: UInt64, _ descriptor: Int32) {
        let watch = lock.locked {
            _ = change(EPOLL_CTL_DEL, descriptor, key, 0)
            return watches.removeValue(forKey: key)
        }
        withExtendedLifetime(watch) {}
    }

    private func change(_ operation: Int32, _ descriptor: Int32, _ key: UInt64, _ events: UInt32) -> Int32 {
        var event = epoll_event(events: events | Self.flags, data: epoll_data_t(u64: key))
        return epoll_ctl(poll, operation, descriptor, &event) == 0 ? 0 : errno
    }

    /// A thread that no signal interrupts: they are meant for others.
    private func startThread(_ poll: Int32) {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { _ in
                pthread_setname_np(pthread_self(), "rx.descriptors")
                DescriptorLoop.shared.run()
            }, nil)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        precondition(status == 0, "no thread: \(String(cString: strerror(status)))")
        pthread_detach(thread)
    }

    private func run() -> Never {
        let poll = lock.locked { self.poll }
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            let count = epoll_wait(poll, &events, Int32(events.count), -1)
            guard count > 0 else { continue }
            // What was removed meanwhile is not found, and a key is never used again.
            let ready = lock.locked { events[..<Int(count)].compactMap { watches[$0.data.u64] } }
            for watch in ready { watch.wake() }
        }
    }
}
