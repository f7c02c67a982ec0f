import Dispatch
import Glibc
import RxEngine

/// A pool of child processes that answer requests. A crash of one fails only its request.
///
/// The pool starts a process when it needs one, reuses it for further requests, and ends it after some idle time. It
/// serves the keys round-robin, those first whose latest request was answered promptly. Keys whose requests take long
/// leave at least one process to the others: a request that turns out to take long while others wait yields its
/// process, and is sent again when the slow keys have one.
public final class WorkerPool<Key: Hashable & Sendable>: Sendable {
    private let command: Command
    private let idleTime: Duration
    private let promptTime: Duration
    private let answerLimit: Int
    private let maximumWaiting: Int
    private let queue = DispatchQueue(label: "rx.workers")
    private let state: Locked<State>

    /// The waiting requests and the processes of a pool.
    private struct State {
        var requests: FairQueue<Key, Waiter>
        /// The number of requests that wait for a slot, each of which blocks a thread.
        var waiting = 0
        /// The idle processes, the most recently used at the end.
        var idle: [WorkerProcess] = []
        /// Whether a trim of the idle processes is scheduled.
        var isTrimming = false

        /// Grants slots to the waiters that may run now.
        ///
        /// - Returns: these waiters, to be signalled without the lock.
        mutating func begin() -> [Waiter] {
            var begun: [Waiter] = []
            while let (waiter, slot) = requests.next() {
                if waiter.grant(slot) {
                    waiting -= 1
                    begun.append(waiter)
                } else {
                    requests.ended(slot, hung: nil)
                }
            }
            return begun
        }
    }

    // Unchecked: the lock of the pool's state guards all mutable state.
    /// A request that waits for a slot.
    private final class Waiter: @unchecked Sendable {
        let key: Key
        let semaphore = DispatchSemaphore(value: 0)
        private var phase = Phase.waiting
        var isWaiting: Bool { if case .waiting = phase { true } else { false } }

        /// Whether a request that waits has got a slot.
        private enum Phase {
            case waiting
            /// The request has a slot.
            case granted(QueueSlot<Key>)
            /// The request has timed out without a slot.
            case abandoned
        }

        init(_ key: Key) {
            self.key = key
        }

        /// Grants the slot.
        ///
        /// - Returns: `false` if the request has timed out.
        func grant(_ slot: QueueSlot<Key>) -> Bool {
            guard case .waiting = phase else { return false }
            phase = .granted(slot)
            return true
        }

        /// Ends the wait, after a signal or its timeout.
        ///
        /// - Returns: the slot, if one was granted.
        func end() -> QueueSlot<Key>? {
            if case .granted(let slot) = phase { return slot }
            phase = .abandoned
            return nil
        }
    }

    /// Creates a pool without processes.
    ///
    /// - Parameters:
    ///   - command: starts a process, which calls ``WorkerService/run(_:)``.
    ///   - maximum: the most processes at once.
    ///   - idleTime: the time after which an idle process ends.
    ///   - promptTime: the time from which on a request makes its key a slow one; slow keys cannot use all processes
    ///     while others wait.
    ///   - answerLimit: the most bytes of an answer.
    ///   - maximumWaiting: the number of waiting requests from which on one that would have to wait fails at once,
    ///     unless the latest of its key was answered promptly. Each that waits blocks a thread, and the system has a
    ///     limited number of them.
    public init(
        _ command: Command, maximum: Int, idleTime: Duration = .seconds(60), promptTime: Duration = .milliseconds(500),
        answerLimit: Int, maximumWaiting: Int = 32
    ) {
        self.maximumWaiting = maximumWaiting
        self.command = command
        self.idleTime = idleTime
        self.promptTime = promptTime
        self.answerLimit = answerLimit
        state = Locked(
            State(
                requests: FairQueue(
                    limit: maximum, limitPerKey: maximum - 1, limitOfSlowKeys: maximum - 1, prefersPromptKeys: true)))
    }

    /// The number of idle processes.
    public var idleCount: Int { state.withLock { $0.idle.count } }
    /// The process numbers of the idle processes.
    var idleNumbers: [Int32] { state.withLock { $0.idle.compactMap(\.number) } }
    /// The number of requests that wait for a process.
    var waitingCount: Int { state.withLock { $0.waiting } }
    /// The number of requests in progress.
    var busyCount: Int { state.withLock { $0.requests.running } }

    /// Sends a request to a process, and blocks the thread until the answer arrives.
    ///
    /// A request that no process has read is sent to a new process. One that was read is only sent again, once, if it
    /// takes longer than `promptTime` while other keys wait, and all processes have such requests: its process ends
    /// then.
    ///
    /// - Parameters:
    ///   - request: the bytes of the request.
    ///   - key: the key that shares the processes fairly with other keys.
    ///   - time: the time limit, including the wait for a process.
    ///   - share: the part of the limit that a process has at least, however long it was waited for.
    /// - Returns: the bytes of the answer.
    /// - Throws: the reason for which there is no answer.
    public func exchange(
        _ request: [UInt8], for key: Key, within time: Duration, share: Duration = .zero
    ) throws(WorkerError) -> [UInt8] {
        let deadline = SuspendingClock.now.advanced(by: time)
        let latestStart = deadline.advanced(by: .zero - share)
        var yieldedSlot: QueueSlot<Key>?
        while true {
            guard let slot = waitForSlot(of: key, until: latestStart, after: yieldedSlot) else { throw .busy }
            let start = SuspendingClock.now
            // A slot that was yielded ends with the next wait.
            defer { if slot != yieldedSlot { end(slot, hung: SuspendingClock.now - start >= promptTime) } }
            let hasYielded = yieldedSlot != nil
            var yields = false
            do throws(WorkerError) {
                return try exchange(request, until: deadline) {
                    // Without time to wait, it would fail.
                    yields = self.yields(slot, ifAllowed: !hasYielded && SuspendingClock.now < latestStart)
                    return yields
                }
            } catch {
                // A request whose process has ended by itself is not repeated.
                if !yields || error != .timeout { throw error }
                yieldedSlot = slot
            }
        }
    }

    private func exchange(
        _ request: [UInt8], until deadline: SuspendingClock.Instant, yieldingIf yields: () -> Bool
    ) throws(WorkerError) -> [UInt8] {
        if let worker = state.withLock({ $0.idle.popLast() }) {
            do throws(WorkerError) {
                return try exchange(request, with: worker, until: deadline, yieldingIf: yields)
            } catch {
                // The kernel may have killed the idle process for lack of memory; then a new one gets the request.
                if !worker.hasNotRead { throw error }
            }
        }
        let worker = try WorkerProcess(command)
        return try exchange(request, with: worker, until: deadline, yieldingIf: yields)
    }

    private func exchange(
        _ request: [UInt8], with worker: WorkerProcess, until deadline: SuspendingClock.Instant,
        yieldingIf yields: () -> Bool
    ) throws(WorkerError) -> [UInt8] {
        let answer = try worker.exchange(
            request, until: deadline, limit: answerLimit, checkingEvery: promptTime, yieldingIf: yields)
        keep(worker)
        return answer
    }

    /// Records that a request takes longer than `promptTime`, and whether it yields its process to one of a key that is
    /// not slow.
    ///
    /// - Parameters:
    ///   - slot: the slot of the request.
    ///   - isAllowed: whether it may yield.
    /// - Returns: whether it yields. The caller then ends the process.
    private func yields(_ slot: QueueSlot<Key>, ifAllowed isAllowed: Bool) -> Bool {
        state.withLock { state in
            // That alone lets no other begin: this queue has no further slots for hanging requests.
            _ = state.requests.hangs(slot)
            return isAllowed && state.requests.yields(slot) { $0.isWaiting }
        }
    }

    /// Waits for a slot.
    ///
    /// - Parameters:
    ///   - key: the key of the request.
    ///   - time: the time until which it waits.
    ///   - yieldedSlot: the slot that the request has yielded, which ends. It then waits however many others do.
    /// - Returns: the slot, if one was granted before this time.
    private func waitForSlot(
        of key: Key, until time: SuspendingClock.Instant, after yieldedSlot: QueueSlot<Key>?
    ) -> QueueSlot<Key>? {
        let waiter = Waiter(key)
        let begun = state.withLock { state -> [Waiter]? in
            if let yieldedSlot {
                state.requests.requeue(waiter, after: yieldedSlot)
            } else {
                // Prompt keys do not block their threads for long.
                let mayWait = state.waiting < maximumWaiting || state.requests.isPrompt(key)
                guard mayWait || state.requests.hasSlot(for: key) else { return nil }
                state.requests.add(waiter, for: key)
            }
            state.waiting += 1
            return state.begin()
        }
        guard let begun else { return nil }
        for other in begun { other.semaphore.signal() }
        let left = SuspendingClock.now.duration(to: time)
        _ = waiter.semaphore.wait(timeout: .now() + .nanoseconds(Int(left / .nanoseconds(1))))
        return state.withLock { state in
            let slot = waiter.end()
            if slot == nil { state.waiting -= 1 }
            return slot
        }
    }

    private func end(_ slot: QueueSlot<Key>, hung: Bool) {
        let begun = state.withLock { state in
            state.requests.ended(slot, hung: hung)
            return state.begin()
        }
        for waiter in begun { waiter.semaphore.signal() }
    }

    /// Ends the idle processes.
    public func end() {
        let ended = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(ended) {}
    }

    private func keep(_ worker: WorkerProcess) {
        worker.used = .now
        let startsTrimming = state.withLock { state in
            defer { state.isTrimming = true }
            state.idle.append(worker)
            return !state.isTrimming
        }
        if startsTrimming { trimIdle() }
    }

    /// Ends the processes that have been idle for `idleTime`, and repeats that while idle processes are left.
    private func trimIdle() {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(idleTime / .nanoseconds(1)))) { [weak self] in
            guard let self else { return }
            let oldest = SuspendingClock.now.advanced(by: .zero - idleTime)
            let (ended, isTrimming) = state.withLock { state -> ([WorkerProcess], Bool) in
                let ended = state.idle.filter { $0.used <= oldest }
                state.idle.removeAll { $0.used <= oldest }
                state.isTrimming = !state.idle.isEmpty
                return (ended, state.isTrimming)
            }
            withExtendedLifetime(ended) {}
            if isTrimming { trimIdle() }
        }
    }
}
