// Checks in a release build that a subject never calls a subscriber that it has released: barrier-check [SECONDS].
//
// Each round has a subject of its own. One thread emits until it owns the subject and stores without an exchange which
// subscriber it calls; the other thread unsubscribes. The process barrier (Sources/RxEngine/Platform/ProcessBarrier.swift)
// makes that store visible to the thread that unsubscribes. Without the barrier, some of every few thousand rounds
// fail:
//
//     the thread that emits                   the thread that unsubscribes
//     reads the subscriber's address
//     stores that it uses the subscriber (*)
//     reads that it still owns the subject
//                                             publishes that there is no subscriber
//                                             revokes the ownership
//                                             reads that no subscriber is in use: (*) is still in the store buffer
//                                             releases the subscriber
//     calls the subscriber
//
// A store that misses the cache, just before, keeps (*) in the store buffer for longer. A debug build cannot fail: it
// has too many stores in between, and the call retains the subscriber.
import Dispatch
import Glibc
import RxEngine
import Synchronization

/// A subscriber that records whether the subject calls it after having released it.
final class Receiver: Sink<Int> {
    let isReleased = Atomic(false)
    let wasCalledLate = Atomic(false)

    init() {
        super.init(LiveSubscription())
    }

    override func next(_ element: Int) {
        if isReleased.load(ordering: .relaxed) { wasCalledLate.store(true, ordering: .relaxed) }
    }
}

// Unchecked: only the thread that unsubscribes touches `receiver` while the threads run, and only the main thread
// later.
/// This program's own reference to a subscriber: once it is the only reference, the subject has released the
/// subscriber.
final class OnlyReference: @unchecked Sendable {
    private(set) var receiver: Receiver

    init(_ receiver: Receiver) {
        self.receiver = receiver
    }

    func markIfReleased() {
        if isKnownUniquelyReferenced(&receiver) { receiver.isReleased.store(true, ordering: .relaxed) }
    }
}

/// 32 MB, most of which no cache holds. One thread uses it.
struct ColdMemory: ~Copyable {
    private let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 1 << 22)
    private var state: UInt64 = 1

    init() {
        words.initialize(repeating: 0, count: 1 << 22)
    }

    deinit {
        words.deallocate()
    }

    /// Stores to a random word.
    mutating func touch() {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        words[Int(state >> 42)] = state
    }
}

/// Successive rounds of the race.
final class Race: Sendable {
    private let subjects: [PublishSubject<Int>]
    private let receivers: [OnlyReference]
    private let subscriptions: [any Disposable]
    private let end: ContinuousClock.Instant
    private let isOver = Atomic(false)
    private let ready = Atomic(0)
    private let done = Atomic(0)

    init(rounds: Int, until end: ContinuousClock.Instant) {
        self.end = end
        subjects = (0..<rounds).map { _ in PublishSubject<Int>() }
        receivers = (0..<rounds).map { _ in OnlyReference(Receiver()) }
        subscriptions = zip(subjects, receivers).map { $0.run($1.receiver) }
    }

    /// Runs the rounds.
    ///
    /// - Returns: how many have run, and in how many of them a released subscriber was called.
    func run() -> (rounds: Int, failures: Int) {
        let other = DispatchGroup()
        DispatchQueue.global().async(group: other) { self.unsubscribe() }
        emit()
        other.wait()
        for subscription in subscriptions { subscription.dispose() }
        let failures = receivers.count { $0.receiver.wasCalledLate.load(ordering: .relaxed) }
        return (done.load(ordering: .relaxed), failures)
    }

    private func emit() {
        var memory = ColdMemory()
        for (round, subject) in subjects.enumerated() where !isOver.load(ordering: .acquiring) {
            // More often than this thread needs to own the subject.
            for value in 0...300 { subject.onNext(value) }
            ready.store(round + 1, ordering: .releasing)
            while done.load(ordering: .acquiring) <= round {
                memory.touch()
                subject.onNext(0)
            }
        }
    }

    private func unsubscribe() {
        for (round, subscription) in subscriptions.enumerated() where !isOver.load(ordering: .relaxed) {
            while ready.load(ordering: .acquiring) <= round { sched_yield() }
            for _ in 0..<round % 61 where done.load(ordering: .relaxed) < 0 {}
            subscription.dispose()
            receivers[round].markIfReleased()
            // Time for a call that is in progress.
            for _ in 0..<20 where done.load(ordering: .relaxed) < 0 {}
            if ContinuousClock.now > end { isOver.store(true, ordering: .releasing) }
            done.store(round + 1, ordering: .releasing)
        }
    }
}

/// Runs the race for some time, longer if a busy machine has not run enough rounds by then, or until it fails.
func check(seconds: Double) -> (rounds: Int, failures: Int) {
    let start = ContinuousClock.now
    var total = (rounds: 0, failures: 0)
    while total.failures == 0,
        ContinuousClock.now < start + .seconds(total.rounds < 3000 ? 8 * seconds : seconds)
    {
        let result = Race(rounds: 500, until: start + .seconds(8 * seconds)).run()
        total.rounds += result.rounds
        total.failures += result.failures
    }
    return total
}

let argument = CommandLine.arguments.dropFirst().first
guard CommandLine.arguments.count <= 2, let seconds = Double(argument ?? "2.5"), seconds > 0 else {
    print("usage: barrier-check [SECONDS]")
    exit(2)
}
let result = check(seconds: seconds)
guard result.failures == 0 else {
    print(
        """
        barrier-check: FAILED: in \(result.failures) of \(result.rounds) rounds a subject called a subscriber that it had \
        released. See Sources/RxEngine/Platform/ProcessBarrier.swift and the comment in Tests/barrier-check/main.swift.
        """)
    exit(1)
}
print("barrier-check: \(result.rounds) rounds, no subject called a subscriber that it had released")
