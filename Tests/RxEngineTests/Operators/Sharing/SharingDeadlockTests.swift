import RxEngine
import TestSupport
import Testing

/// Patterns that have made reactive engines deadlock: one thread emits while another subscribes or unsubscribes, and
/// their calls meet inside the shared sequence.
@Suite(.balanced) struct SharingDeadlockTests {
    private static let turns = 200

    private typealias Assemble = @Sendable (Observable<Int>) -> Observable<Int>
    private static let shares: [Assemble] =
        RefCountTests.ways.map(\.assemble) + [
            { $0.share(replay: 1, scope: .forever) }, { $0.share(scope: .forever) },
        ]

    /// A bag is released inside the disposal of another bag's subscription.
    @Test(arguments: shares.indices) func bagReleasedInsideDelivery(_ index: Int) async throws {
        let subject = PublishSubject<Int>()
        let shared = Self.shares[index](subject)
        let bag = Cell(DisposeBag())
        shared.subscribe(onNext: { _ in bag.update { $0 = DisposeBag() } }).disposed(by: bag.value)
        try await finishes(threads: 3) { thread in
            for turn in 0..<Self.turns {
                if thread == 0 {
                    subject.onNext(turn)
                } else {
                    let old = DisposeBag()
                    shared.subscribe(onNext: { _ in shared.subscribe().dispose() }).disposed(by: old)
                }
            }
        }
        subject.onCompleted()
        bag.update { $0 = DisposeBag() }
    }

    /// Two shared sequences are each subscribed to from inside the other's delivery.
    @Test(arguments: shares.indices) func sharedSequencesThatSubscribeToEachOther(_ index: Int) async throws {
        let subjects = [PublishSubject<Int>(), PublishSubject<Int>()]
        let shared = subjects.map(Self.shares[index])
        let keep = shared.map { $0.subscribe() }
        subjects.forEach { $0.onNext(0) }
        try await finishes(threads: 4) { thread in
            let mine = thread % 2
            for turn in 0..<Self.turns {
                if thread < 2 {
                    subjects[mine].onNext(turn)
                } else {
                    shared[mine].flatMap { _ in shared[1 - mine].take(1) }.take(1).subscribe().dispose()
                }
            }
        }
        keep.forEach { $0.dispose() }
        for subject in subjects { #expect(!subject.hasObservers) }
    }

    /// An element arrives while another thread's `take(1)` inside `zip` unsubscribes.
    @Test(arguments: shares.indices) func takeInsideZip(_ index: Int) async throws {
        let subject = PublishSubject<Int>()
        let shared = Self.shares[index](subject)
        let keep = shared.subscribe()
        try await finishes(threads: 3) { thread in
            for turn in 0..<Self.turns {
                if thread == 0 {
                    subject.onNext(turn)
                } else {
                    Observable.zip(shared.take(1), shared.map { -$0 }.take(1)) { $0 + $1 }.subscribe().dispose()
                }
            }
        }
        keep.dispose()
        #expect(!subject.hasObservers)
    }

    /// `flatMap` to a result of the shared sequence itself.
    @Test(arguments: shares.indices) func flatMapToSharedSequenceItself(_ index: Int) async throws {
        let subject = PublishSubject<Int>()
        let shared = Self.shares[index](subject)
        let flat = shared.flatMap { value in Observable.merge(shared.take(1), .just(value)) }
        try await finishes(threads: 3) { thread in
            for turn in 0..<Self.turns {
                if thread == 0 { subject.onNext(turn) } else { flat.subscribe().dispose() }
            }
        }
        #expect(!subject.hasObservers)
    }

    /// One thread connects and another disposes the connection, while a third subscribes and a fourth, which waits for
    /// it, emits.
    @Test func concurrentConnectDisposeAndEmit() async throws {
        let subject = PublishSubject<Int>()
        let connectable = subject.map { $0 }.replay(1)
        let keep = connectable.subscribe(onNext: { _ in connectable.connect().dispose() })
        try await finishes(threads: 4) { thread in
            for turn in 0..<Self.turns {
                switch thread {
                case 0: subject.onNext(turn)
                case 1: _ = connectable.connect()
                case 2: connectable.connect().dispose()
                default: connectable.subscribe().dispose()
                }
            }
        }
        connectable.connect().dispose()
        keep.dispose()
        #expect(!subject.hasObservers)
    }

    /// A client's lock is held while subscribing on one thread and taken inside the delivery on another: the client has
    /// to order its own locks only.
    @Test(arguments: shares.indices) func clientLockHeldWhileSubscribing(_ index: Int) async throws {
        let subject = PublishSubject<Int>()
        let shared = Self.shares[index](subject)
        let mine = Cell(0)
        let keep = shared.subscribe(onNext: { value in mine.update { $0 = value } })
        try await finishes(threads: 2) { thread in
            for turn in 0..<Self.turns {
                if thread == 0 {
                    subject.onNext(turn)
                } else {
                    // No event that is delivered here takes the lock.
                    mine.update { _ in shared.map { $0 }.subscribe().dispose() }
                }
            }
        }
        keep.dispose()
        #expect(!subject.hasObservers)
    }

    /// A replaying subject is fed from inside its own replay while another thread feeds it.
    @Test func reentrantEmissionInsideReplay() async throws {
        let subject = ReplaySubject<Int>.create(bufferSize: 4)
        for value in 0..<4 { subject.onNext(value) }
        try await finishes(threads: 2) { thread in
            for turn in 0..<Self.turns {
                if thread == 0 {
                    subject.onNext(turn)
                } else {
                    subject.take(2).subscribe(onNext: { _ in subject.onNext(-1) }).dispose()
                }
            }
        }
        #expect(!subject.hasObservers)
    }
}
