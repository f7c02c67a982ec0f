import Glibc
import Synchronization
import TestSupport
import Testing

@testable import RxEngine

/// Whoever leaves while someone tells, on one thread or on several: nobody is told who has gone, and nobody is kept who
/// is not receiving it. What only a release build can get wrong is checked by `make check-barrier`.
@Suite(.balanced) struct AudienceTests {
    /// Something that is seen to go.
    private final class Token: Sendable {
        private let alive: Flag
        private let isAlive = Atomic(true)

        init(_ alive: Flag) {
            self.alive = alive
            alive.set(true)
        }

        /// Whether it is there; what has been freed may say anything.
        var isThere: Bool { isAlive.load(ordering: .relaxed) }

        deinit {
            isAlive.store(false, ordering: .relaxed)
            alive.set(false)
        }
    }

    private enum Kind: CaseIterable, Sendable {
        case publish
        case behavior
        case replay

        func make() -> (Observable<Int>, @Sendable (Int) -> Void) {
            switch self {
            case .publish:
                let subject = PublishSubject<Int>()
                return (subject, { subject.onNext($0) })
            case .behavior:
                let subject = BehaviorSubject(value: 0)
                return (subject, { subject.onNext($0) })
            case .replay:
                let subject = ReplaySubject<Int>.create(bufferSize: 1)
                return (subject, { subject.onNext($0) })
            }
        }
    }

    /// A subject that a thread is used to telling, or not.
    private struct Case: Sendable, CustomTestStringConvertible {
        let kind: Kind
        let isUsed: Bool
        let others: Int

        var testDescription: String { "\(kind), \(isUsed ? "used" : "new"), \(others) others" }

        /// - Returns: the subject, what tells it, and those who are subscribed for good.
        func make() -> (Observable<Int>, @Sendable (Int) -> Void, [any Disposable]) {
            let (subject, tell) = kind.make()
            let others = (0..<others).map { _ in subject.subscribe() }
            if isUsed {
                let first = subject.subscribe()
                for _ in 0...Regular.habit { tell(-1) }
                first.dispose()
            }
            return (subject, tell, others)
        }
    }

    private static let cases = Kind.allCases.flatMap { kind in
        [false, true].flatMap { isUsed in (0...2).map { Case(kind: kind, isUsed: isUsed, others: $0) } }
    }

    /// Subscribes with a token, which goes with the subscription, and calls `take` with each element from 0.
    private static func subscribe(
        _ subject: Observable<Int>, _ isAlive: Flag, _ take: @escaping @Sendable (Int) -> Void
    ) -> any Disposable {
        let token = Token(isAlive)
        return subject.subscribe(onNext: { [token] value in
            if !token.isThere { Issue.record("one who has gone is told") }
            if value >= 0 { take(value) }
        })
    }

    @Test(arguments: cases) private func whoLeavesFromInsideIsKeptUntilThen(_ rule: Case) {
        let (subject, tell, others) = rule.make()
        let isAlive = Flag()
        let subscription = SerialDisposable()
        let seen = Box<[Int]>([])
        subscription.disposable = Self.subscribe(subject, isAlive) { value in
            guard value > 0 else { return }
            seen.append(value)
            subscription.dispose()
            if !isAlive.isUp { Issue.record("gone while it is told") }
        }
        tell(1)
        #expect(!isAlive.isUp)
        tell(2)
        #expect(seen.value == [1])
        others.forEach { $0.dispose() }
    }

    /// One is held inside its own call while another thread disposes it, and others come, are told and go.
    @Test(arguments: cases) private func whoIsDisposedElsewhereIsKeptUntilItReturns(_ rule: Case) {
        let (subject, tell, others) = rule.make()
        let (isAlive, inner) = (Flag(), Flag())
        let subscription = SerialDisposable()
        let seen = Box<[Int]>([])
        subscription.disposable = Self.subscribe(subject, isAlive) { value in
            guard value == 1 else { return }
            inParallel(1) { _ in subscription.dispose() }
            // A fan-out holds them all, and it is what is gone by.
            #expect(isAlive.isUp)
            for number in 2...4 {
                inParallel(1) { _ in
                    let other = Self.subscribe(subject, inner) { seen.append($0) }
                    tell(number)
                    other.dispose()
                }
                #expect(!inner.isUp)
            }
        }
        tell(1)
        #expect(!isAlive.isUp)
        #expect(Set(seen.value).isSuperset(of: [2, 3, 4]))
        tell(5)
        others.forEach { $0.dispose() }
    }

    /// Who is not receiving it goes at the call that disposes it, even while others are told.
    @Test(arguments: cases) private func whoIsNotToldGoesAtOnce(_ rule: Case) {
        let (subject, tell, others) = rule.make()
        let isAlive = Flag()
        let holder = subject.subscribe(onNext: { value in
            guard value == 1 else { return }
            for isElsewhere in [false, true, false] {
                let late = Self.subscribe(subject, isAlive) { _ in }
                if isElsewhere { inParallel(1) { _ in late.dispose() } } else { late.dispose() }
                #expect(!isAlive.isUp)
            }
        })
        tell(1)
        let idle = Self.subscribe(subject, isAlive) { _ in }
        tell(2)
        inParallel(1) { _ in idle.dispose() }
        #expect(!isAlive.isUp)
        holder.dispose()
        others.forEach { $0.dispose() }
    }

    /// One thread tells all the time, until two others have disposed; again and again with another subject, because the
    /// one that is used to telling is dismissed but once.
    @Test(arguments: cases) private func disposingWhileAnotherThreadTells(_ rule: Case) {
        let rounds = 50
        let all = (0..<rounds).map { _ in Case(kind: rule.kind, isUsed: false, others: rule.others).make() }
        let alive = (0..<rounds).map { _ in (0..<2).map { _ in Flag() } }
        let subscriptions = zip(all, alive).map { subject, tokens in
            tokens.map { Self.subscribe(subject.0, $0) { _ in } }
        }
        let turn = Atomic(0)
        let disposed = Atomic(0)
        let kept = Atomic(0)
        inParallel(3) { thread in
            for round in 0..<rounds {
                let (_, tell, _) = all[round]
                if thread == 0 {
                    for value in 0...Int(rule.isUsed ? Regular.habit : 2) { tell(value) }
                    turn.store(round + 1, ordering: .releasing)
                    while disposed.load(ordering: .acquiring) < 2 * (round + 1) { tell(0) }
                    // Nobody is inside any more: what was put aside for this thread has gone with its last call.
                    for token in alive[round] where token.isUp {
                        kept.add(1, ordering: .relaxed)
                    }
                } else {
                    while turn.load(ordering: .acquiring) <= round { sched_yield() }
                    for _ in 0..<round % 31 where turn.load(ordering: .relaxed) < 0 {}
                    subscriptions[round][thread - 1].dispose()
                    disposed.add(1, ordering: .acquiringAndReleasing)
                }
            }
        }
        let count = kept.load(ordering: .relaxed)
        #expect(count == 0)
        all.forEach { $0.2.forEach { $0.dispose() } }
    }

    /// Several threads tell, subscribe and dispose, which the contract forbids but memory has to survive.
    @Test(arguments: Kind.allCases) private func everybodyAtOnce(_ kind: Kind) {
        for _ in 0..<5 {
            let (subject, tell) = kind.make()
            let tokens = (0..<4).map { _ in Flag() }
            inParallel(4) { thread in
                for number in 0..<400 {
                    if thread == 0 {
                        for _ in 0..<10 { tell(number) }
                    } else if thread == 1, number % 4 == 0 {
                        tell(number)
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
            tell(0)
            #expect(!tokens.contains { $0.isUp })
        }
    }
}

/// A flag that several hold.
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
