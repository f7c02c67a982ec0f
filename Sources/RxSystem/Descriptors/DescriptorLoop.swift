import CLinux
import Glibc
import RxEngine

// Unchecked: the lock guards all mutable state.
/// The thread that waits for all watched descriptors of this process, with epoll, and does nothing else.
///
/// It replaces Dispatch's sources for descriptors, which on Linux corrupt memory if many descriptors that hang up are
/// added and removed (swift-corelibs-libdispatch, issue 949).
final class DescriptorLoop: @unchecked Sendable {
    /// The loop of this process. One is enough, since it only triggers work on other queues.
    static let shared = DescriptorLoop()

    private static let flags = rx_epoll_oneshot

    private let lock = Lock()
    private var watches: [UInt64: DescriptorWatch] = [:]
    private var lastKey: UInt64 = 0
    /// The epoll descriptor, which the first watch creates and nothing closes.
    private var poll: Int32 = -1

    /// Watches a descriptor for one event.
    ///
    /// - Returns: the key of the watch, and the error number, which is 0 for success.
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

    /// Watches the descriptor for one more event.
    func rearm(_ key: UInt64, _ descriptor: Int32, for events: UInt32) {
        lock.locked { _ = change(EPOLL_CTL_MOD, descriptor, key, events) }
    }

    /// Stops watching the descriptor, which may be closed then.
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

    /// Starts the thread with all signals blocked, so that other threads handle them.
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
            // A watch that was removed since is not found: keys are never reused.
            let ready = lock.locked { events[..<Int(count)].compactMap { watches[$0.data.u64] } }
            for watch in ready { watch.wake() }
        }
    }
}
