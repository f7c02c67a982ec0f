import Dispatch
import RxEngine

// Unchecked: the lock protects all mutable state.
/// Looks up names on a bounded number of threads, each name on one thread at a time.
///
/// The system's lookup may block for any time and cannot be cancelled: with a thread for each lookup, requests that are
/// repeated while no name server answers would use ever more threads and descriptors.
///
/// | age of the addresses | result |
/// |---|---|
/// | up to a minute | the addresses |
/// | up to five minutes | the addresses, and a new lookup starts |
/// | more | the result of a new lookup |
final class NameResolver: @unchecked Sendable {
    typealias Outcome = Result<[String], HostName.Failure>
    /// Looks a name up; it may block.
    typealias Lookup = @Sendable (HostName) -> Outcome

    /// Cached addresses, and when they were found.
    private struct Answer {
        let addresses: [String]
        let found: UInt64
    }

    /// A caller that waits for the addresses of a name.
    private struct Waiter {
        let isWanted: @Sendable () -> Bool
        let receive: @Sendable (Outcome) -> Void
    }

    /// A name whose lookup may run, in its slot.
    private typealias Next = (item: HostName, slot: QueueSlot<HostName>)

    /// How long addresses are used, and how long they are used while a new lookup runs.
    private static let (freshAge, usableAge): (UInt64, UInt64) = (60_000_000_000, 300_000_000_000)
    /// A lookup that takes longer hangs.
    private let hungAfter: Duration
    /// The most names that are cached: addresses may be derived from events, without bound.
    private static let maximumAnswers = 10_000

    private let lookup: Lookup
    private let now: @Sendable () -> UInt64
    private let lock = Lock()
    private var queue: FairQueue<HostName, HostName>
    private var answers: [HostName: Answer] = [:]
    /// The waiters of each name that is queued or being looked up.
    private var waiters: [HostName: [Waiter]] = [:]

    /// - Parameters:
    ///   - maximum: the most threads, not counting those of lookups that hang; with them, at most twice as many.
    ///   - hungAfter: a lookup that takes longer hangs.
    ///   - lookup: looks a name up.
    ///   - now: the time in nanoseconds.
    init(
        maximum: Int, hungAfter: Duration = .seconds(2), lookup: @escaping Lookup = { $0.lookUp() },
        now: @escaping @Sendable () -> UInt64 = { MonotonicClock.now }
    ) {
        // Slow names use half of the threads at most.
        queue = FairQueue(
            limit: maximum, hardLimit: 2 * maximum, limitPerKey: 1, limitOfSlowKeys: maximum / 2)
        self.hungAfter = hungAfter
        self.lookup = lookup
        self.now = now
    }

    /// Returns the addresses of `name` if they are cached; otherwise calls `receive` on a thread of the resolver.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - isWanted: whether the result is still needed when the lookup is about to start.
    ///   - receive: takes the result.
    func addresses(
        of name: HostName, isWanted: @escaping @Sendable () -> Bool, _ receive: @escaping @Sendable (Outcome) -> Void
    ) -> [String]? {
        let (known, first) = lock.locked { () -> ([String]?, Next?) in
            let answer = answers[name]
            let age = answer.map { now() - $0.found } ?? .max
            if age < Self.freshAge { return (answer?.addresses, nil) }
            let known = age < Self.usableAge ? answer?.addresses : nil
            let waiter = Waiter(isWanted: isWanted, receive: receive)
            if waiters[name] != nil {
                if known == nil { waiters[name]?.append(waiter) }
                return (known, nil)
            }
            waiters[name] = known == nil ? [waiter] : []
            queue.add(name, for: name)
            return (known, queue.next())
        }
        if let first { start(first) }
        return known
    }

    /// Starts a thread, which continues with other names until none may begin.
    private func start(_ first: Next) {
        do {
            try LoopThread.start("rx-names") { [self] in
                var next: Next? = first
                while let current = next { next = work(on: current.item, in: current.slot) }
            }
        } catch {
            let failure = HostName.Failure(error.description, isTemporary: true)
            var next: Next? = first
            while let current = next {
                let waiters: [Waiter]
                (waiters, next) = end(current.item, in: current.slot, .failure(failure), hung: nil)
                for waiter in waiters { waiter.receive(.failure(failure)) }
            }
        }
    }

    /// Looks one name up.
    ///
    /// - Returns: the next name.
    private func work(on name: HostName, in slot: QueueSlot<HostName>) -> Next? {
        while true {
            // A refresh of cached addresses has no waiters, and is not skipped.
            let waiting = lock.locked { self.waiters[name] ?? [] }
            if waiting.isEmpty || waiting.contains(where: { $0.isWanted() }) { break }
            // Drop only the waiters that were asked: another one may have arrived meanwhile.
            let (isDropped, next) = lock.locked { () -> (Bool, Next?) in
                guard self.waiters[name]?.count == waiting.count else { return (false, nil) }
                self.waiters[name] = nil
                queue.ended(slot, hung: nil)
                return (true, queue.next())
            }
            if isDropped { return next }
        }
        let start = now()
        watch(slot)
        let outcome = lookup(name)
        let (waiters, next) = end(name, in: slot, outcome, hung: .nanoseconds(now() - start) > hungAfter)
        for waiter in waiters { waiter.receive(outcome) }
        return next
    }

    /// Gives the thread of a lookup to another one if the lookup hangs: its name may be one that has never hung before.
    private func watch(_ slot: QueueSlot<HostName>) {
        DispatchQueue.global().asyncAfter(deadline: .now() + hungAfter.interval) { [weak self] in
            guard let self else { return }
            if let next = lock.locked({ queue.hangs(slot) ? queue.next() : nil }) { start(next) }
        }
    }

    private func end(
        _ name: HostName, in slot: QueueSlot<HostName>, _ outcome: Outcome, hung: Bool?
    ) -> (waiters: [Waiter], next: Next?) {
        lock.locked {
            switch outcome {
            case .success(let addresses):
                if answers.count >= Self.maximumAnswers { answers = [:] }
                answers[name] = Answer(addresses: addresses, found: now())
            case .failure(let failure):
                // While no name server answers, cached addresses stay valid for a while.
                if !failure.isTemporary { answers[name] = nil }
            }
            queue.ended(slot, hung: hung)
            return (waiters.removeValue(forKey: name) ?? [], queue.next())
        }
    }
}
