import Glibc
import Synchronization
import TestSupport
import Testing

@testable import RxEngine

/// Subscribers that unsubscribe during a delivery, on one thread or on several: none is called after its release, and
/// none that is not being called is retained. `make check-barrier` checks what only a release build can get wrong.
@Suite(.balanced) struct SubscriberListTests {
    /// An object that lowers a flag when it is deinitialized.
    private final class Token: Sendable {
        private let alive: Flag
        private let isAlive = Atomic(true)

        init(_ alive: Flag) {
            self.alive = alive
            alive.set(true)
        }

        /// Whether the object is alive. A released object may return anything.
        var isAliveNow: Bool { isAlive.load(ordering: .relaxed) }

        deinit {
            isAlive.store(false, ordering: .relaxed)
            alive.set(false)
        }
    }

    /// A subject with or without an owner, and with some other subscribers.
    private struct Case: Sendable, CustomTestStringConvertible {
        let kind: MulticastKind
        let hasOwner: Bool
        let others: Int

        var testDescription: String { "\(kind), \(hasOwner ? "owned" : "unowned"), \(others) others" }

        /// - Returns: the subject, a closure that emits into it, and the subscriptions that stay.
        func make() -> (Observable<Int>, @Sendable (Int) -> Void, [any Disposable]) {
            let (subject, emit) = kind.make()
            let others = (0..<others).map { _ in subject.subscribe() }
            if hasOwner {
                let first = subject.subscribe()
                for _ in 0...BiasedOwner.threshold { emit(-1) }
                first.dispose()
            }
            return (subject, emit, others)
        }
    }

    private static let cases = MulticastKind.subjects.flatMap { kind in
        [false, true].flatMap { hasOwner in (0...2).map { Case(kind: kind, hasOwner: hasOwner, others: $0) } }
    }

    /// Subscribes with a token that is released with the subscriber, and calls `take` with each element from 0.
    private static func subscribe(
        _ subject: Observable<Int>, _ isAlive: Flag, _ take: @escaping @Sendable (Int) -> Void
    ) -> any Disposable {
        let token = Token(isAlive)
        return subject.subscribe(onNext: { [token] value in
            if !token.isAliveNow { Issue.record("a released subscriber receives an element") }
            if value >= 0 { take(value) }
        })
    }

    @Test(arguments: cases) private func subscriberDisposedInsideItsCallIsReleasedAfterwards(_ rule: Case) {
        let (subject, emit, others) = rule.make()
        let isAlive = Flag()
        let subscription = SerialDisposable()
        let seen = Cell<[Int]>([])
        subscription.disposable = Self.subscribe(subject, isAlive) { value in
            guard value > 0 else { return }
            seen.append(value)
            subscription.dispose()
            if !isAlive.isUp { Issue.record("released while it receives an element") }
        }
        emit(1)
        #expect(!isAlive.isUp)
        emit(2)
        #expect(seen.value == [1])
        others.forEach { $0.dispose() }
    }

    /// A subscriber stays inside its call while another thread disposes it, and others subscribe, receive elements and
    /// unsubscribe.
    @Test(arguments: cases) private func subscriberDisposedOnAnotherThreadIsReleasedAfterItsCall(_ rule: Case) {
        let (subject, emit, others) = rule.make()
        let (isAlive, inner) = (Flag(), Flag())
        let subscription = SerialDisposable()
        let seen = Cell<[Int]>([])
        subscription.disposable = Self.subscribe(subject, isAlive) { value in
            guard value == 1 else { return }
            inParallel(1) { _ in subscription.dispose() }
            // The delivery uses either the subscriber or a fan-out that retains it.
            #expect(isAlive.isUp)
            for number in 2...4 {
                inParallel(1) { _ in
                    let other = Self.subscribe(subject, inner) { seen.append($0) }
                    emit(number)
                    other.dispose()
                }
                #expect(!inner.isUp)
            }
        }
        emit(1)
        #expect(!isAlive.isUp)
        #expect(Set(seen.value).isSuperset(of: [2, 3, 4]))
        emit(5)
        others.forEach { $0.dispose() }
    }

    /// A subscriber that is not being called is released by the call that disposes it, even while others receive an
    /// element.
    @Test(arguments: cases) private func subscriberOutsideDeliveryIsReleasedAtOnce(_ rule: Case) {
        let (subject, emit, others) = rule.make()
        let isAlive = Flag()
        let holder = subject.subscribe(onNext: { value in
            guard value == 1 else { return }
            for isElsewhere in [false, true, false] {
                let late = Self.subscribe(subject, isAlive) { _ in }
                if isElsewhere { inParallel(1) { _ in late.dispose() } } else { late.dispose() }
                #expect(!isAlive.isUp)
            }
        })
        emit(1)
        let idle = Self.subscribe(subject, isAlive) { _ in }
        emit(2)
        inParallel(1) { _ in idle.dispose() }
        #expect(!isAlive.isUp)
        holder.dispose()
        others.forEach { $0.dispose() }
    }

    /// One thread emits until two others have disposed their subscriptions. Each round has a subject of its own,
    /// because an owner is revoked only once.
    @Test(arguments: cases) private func disposingWhileAnotherThreadEmitsReleasesSubscribers(_ rule: Case) {
        let rounds = 50
        let all = (0..<rounds).map { _ in Case(kind: rule.kind, hasOwner: false, others: rule.others).make() }
        let alive = (0..<rounds).map { _ in (0..<2).map { _ in Flag() } }
        let subscriptions = zip(all, alive).map { subject, tokens in
            tokens.map { Self.subscribe(subject.0, $0) { _ in } }
        }
        let ready = Atomic(0)
        let disposed = Atomic(0)
        let kept = Atomic(0)
        inParallel(3) { thread in
            for round in 0..<rounds {
                let (_, emit, _) = all[round]
                if thread == 0 {
                    for value in 0...Int(rule.hasOwner ? BiasedOwner.threshold : 2) { emit(value) }
                    ready.store(round + 1, ordering: .releasing)
                    while disposed.load(ordering: .acquiring) < 2 * (round + 1) { emit(0) }
                    // No thread delivers any more: this thread's last call has reclaimed what was retired for it.
                    for token in alive[round] where token.isUp {
                        kept.add(1, ordering: .relaxed)
                    }
                } else {
                    while ready.load(ordering: .acquiring) <= round { sched_yield() }
                    for _ in 0..<round % 31 where ready.load(ordering: .relaxed) < 0 {}
                    subscriptions[round][thread - 1].dispose()
                    disposed.add(1, ordering: .acquiringAndReleasing)
                }
            }
        }
        let count = kept.load(ordering: .relaxed)
        #expect(count == 0)
        all.forEach { $0.2.forEach { $0.dispose() } }
    }

    private final class Logging: Sink<Int> {
        let number: Int
        let log: Cell<[Int]>
        /// Called with each element, after it was logged.
        let react: () -> Void

        init(_ number: Int, _ log: Cell<[Int]>, react: @escaping () -> Void) {
            self.number = number
            self.log = log
            self.react = react
            super.init(LiveSubscription())
        }

        override func next(_ element: Int) {
            log.append(number)
            react()
        }

        override func completed() {
            _ = live.end()
        }
    }

    /// Subscribers come and go, between deliveries and inside them. The list checks its invariants in debug builds.
    @Test(arguments: 1...8) func subscribersReceiveElementsInOrderUnderRandomOperations(seed: UInt64) throws {
        var random = Generator(seed)
        let (list, subject, log) = (SubscriberList(), PublishSubject<Int>(), Cell<[Int]>([]))
        var subscribers: [(key: SinkList.Key, number: Int)] = []
        var removed: SinkList.Key?
        for number in 0..<1500 {
            switch random.below(seed % 2 == 0 ? 8 : 6) {
            case 0, 1:
                let sink = Logging(number, log) {
                    // The first subscriber that is called removes one of them.
                    if let key = removed.take() { list.remove(key) }
                }
                let key = try #require(list.add(sink, to: subject))
                subscribers.append((key, number))
            case 2 where !subscribers.isEmpty:
                #expect(list.remove(subscribers.remove(at: random.below(subscribers.count)).key))
            case 3 where !subscribers.isEmpty:
                // Not one that is yet to be called, which may be called once more: its own subscription silences it.
                removed = subscribers[0].key
                list.next(number)
                #expect(log.value == subscribers.map(\.number))
                subscribers.removeFirst()
            default:
                list.next(number)
                #expect(log.value == subscribers.map(\.number))
            }
            log.update { $0 = [] }
            list.lock.locked { list.checkInvariants() }
            #expect(list.hasSubscribers == !subscribers.isEmpty)
        }
        list.terminate(with: .completed, Int.self)
        #expect(!list.hasSubscribers)
    }

    /// Several threads emit at once, which the contract forbids but which must be memory-safe, and subscribe and
    /// dispose.
    @Test(arguments: MulticastKind.subjects) private func concurrentEmitSubscribeAndDisposeAreMemorySafe(
        _ kind: MulticastKind
    ) {
        for _ in 0..<5 {
            let (subject, emit) = kind.make()
            let tokens = (0..<4).map { _ in Flag() }
            inParallel(4) { thread in
                for number in 0..<400 {
                    if thread == 0 {
                        for _ in 0..<10 { emit(number) }
                    } else if thread == 1, number % 4 == 0 {
                        emit(number)
                    } else {
                        let isAlive = tokens[thread]
                        let subscription = SerialDisposable()
                        subscription.disposable = Self.subscribe(subject, isAlive) {
                            if $0 % 7 == 0 { subscription.dispose() }
                        }
                        subscription.dispose()
                    }
                }
            }
            emit(0)
            #expect(!tokens.contains { $0.isUp })
        }
    }
}

/// A flag that several objects share.
private final class Flag: Sendable {
    private let state: Atomic<Bool>

    init(_ isUp: Bool = false) {
        state = Atomic(isUp)
    }

    var isUp: Bool { state.load(ordering: .acquiring) }

    func set(_ isUp: Bool) {
        state.store(isUp, ordering: .releasing)
    }
}
