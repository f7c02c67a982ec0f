import Glibc
import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// A connectable observable that is not one of the engine's.
private struct Foreign: ConnectableObservableType {
    typealias Element = Int

    let own: ConnectableObservable<Int>

    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Int {
        own.subscribe(observer)
    }

    func connect() -> any Disposable {
        own.connect()
    }
}

@Suite(.balanced) struct RefCountTests {
    typealias Assemble = @Sendable (Observable<Int>) -> Observable<Int>

    /// All the ways to share a run for as long as anyone is subscribed, and whether a new subscriber receives the last
    /// element.
    static let ways: [(name: String, assemble: Assemble, remembers: Bool)] = [
        ("share", { $0.share() }, false),
        ("share(replay: 1)", { $0.share(replay: 1) }, true),
        ("publish", { $0.publish().refCount() }, false),
        ("replay", { $0.replay(1).refCount() }, true),
        ("replayAll", { $0.replayAll().refCount() }, true),
        ("multicast", { $0.multicast { PublishSubject<Int>() }.refCount() }, false),
        ("multicast(replay)", { $0.multicast { ReplaySubject<Int>.create(bufferSize: 1) }.refCount() }, true),
        ("foreign", { Foreign(own: $0.publish()).refCount() }, false),
        ("foreign(replay)", { Foreign(own: $0.replay(1)).refCount() }, true),
    ]

    @Test(arguments: ways.indices) func runLastsFromFirstToLastSubscriber(_ index: Int) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(
            [.next(210, 1), .next(230, 2), .next(250, 3), .next(270, 4), .next(290, 5)] as [Recorded<Event<Int>>])
        let shared = Self.ways[index].assemble(hot.asObservable())
        let observers = (0..<3).map { _ in scheduler.createObserver(Int.self) }
        let subscriptions = observers.map { _ in SerialDisposable() }
        for (number, (from, to)) in [(205, 255), (235, 260), (280, 300)].enumerated() {
            scheduler.scheduleAt(from) { subscriptions[number].disposable = shared.subscribe(observers[number]) }
            scheduler.scheduleAt(to) { subscriptions[number].dispose() }
        }
        scheduler.start()
        #expect(observers[0].events == [.next(210, 1), .next(230, 2), .next(250, 3)])
        let missed: [Recorded<Event<Int>>] =
            switch Self.ways[index].name {
            case "replayAll": [.next(235, 1), .next(235, 2)]
            default: Self.ways[index].remembers ? [.next(235, 2)] : []
            }
        #expect(observers[1].events == missed + [.next(250, 3)])
        // The second run has nothing of the first.
        #expect(observers[2].events == [.next(290, 5)])
        #expect(hot.subscriptions == [Subscription(205, 260), Subscription(280, 300)])
    }

    static let ends: [Event<Int>] = [.completed, .error(TestError("e"))]

    /// A source that emits everything inside `subscribe`, and ends.
    private static func synchronous(_ end: Event<Int>, _ runs: Cell<Int>) -> Observable<Int> {
        .create { observer in
            runs.update { $0 += 1 }
            observer.onNext(1)
            observer.onNext(2)
            observer.on(end)
            return Disposables.create()
        }
    }

    @Test(arguments: ways.indices, ends) func synchronousSourceRunsForEachSubscriber(_ index: Int, _ end: Event<Int>) {
        let runs = Cell(0)
        let shared = Self.ways[index].assemble(Self.synchronous(end, runs))
        for round in 1...3 {
            #expect(emitted(by: shared) == [.next(1), .next(2), end])
            #expect(runs.value == round)
        }
    }

    @Test(arguments: ways.indices, ends) func resubscribingInsideEndStartsNewRun(_ index: Int, _ end: Event<Int>) {
        let runs = Cell(0)
        let shared = Self.ways[index].assemble(Self.synchronous(end, runs))
        let seen = Cell<[Event<Int>]>([])
        _ = shared.subscribe { event in
            if event.isStopEvent { _ = shared.subscribe { seen.append($0) } }
        }
        #expect(seen.value == [.next(1), .next(2), end])
        #expect(runs.value == 2)
    }

    @Test(arguments: ways.indices) func resubscribingInsideAsynchronousEndStartsNewRun(_ index: Int) {
        let sources = Cell<[PublishSubject<Int>]>([])
        let shared = Self.ways[index].assemble(
            .deferred {
                let source = PublishSubject<Int>()
                sources.append(source)
                return source
            })
        let seen = Cell<[Event<Int>]>([])
        let again = SerialDisposable()
        _ = shared.subscribe { event in
            if event.isStopEvent { again.disposable = shared.subscribe { seen.append($0) } }
        }
        let others = Cell<[Event<Int>]>([])
        let other = shared.subscribe { others.append($0) }
        sources.value[0].onNext(1)
        sources.value[0].onCompleted()
        #expect(sources.value.count == 2)
        #expect(others.value == [.next(1), .completed])
        // Subscriptions of the first run that are disposed late do not end the second.
        other.dispose()
        sources.value[1].onNext(2)
        sources.value[1].onCompleted()
        #expect(seen.value == [.next(2), .completed])
    }

    @Test(arguments: ways.indices) func resubscribingInsideElementStartsNewRun(_ index: Int) {
        let source = PublishSubject<Int>()
        let runs = Cell(0)
        let shared = Self.ways[index].assemble(
            .deferred {
                runs.update { $0 += 1 }
                return source
            })
        let seen = Cell<[Int]>([])
        let subscription = SerialDisposable()
        subscription.disposable = shared.subscribe(onNext: { _ in
            subscription.disposable = Disposables.create()
            subscription.disposable = shared.subscribe(onNext: { seen.append($0) })
        })
        source.onNext(1)
        source.onNext(2)
        #expect(seen.value == [2])
        #expect(runs.value == 2)
        subscription.dispose()
        #expect(!source.hasObservers)
    }

    @Test func endedSubjectStartsNoRun() {
        let runs = Cell(0)
        let subject = PublishSubject<Int>()
        subject.onCompleted()
        let source = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return .never()
        }
        let connectable = source.multicast(subject)
        #expect(emitted(by: connectable.refCount()) == [.completed])
        #expect(emitted(by: Foreign(own: connectable).refCount()) == [.completed])
        #expect(runs.value == 0)
    }

    @Test func subscriptionIsDisposedBeforeRun() {
        let log = Cell<[String]>([])
        /// A subject that records when an observer unsubscribes.
        final class LoggingSubject: SubjectType, Sendable {
            typealias Element = Int

            let inner = PublishSubject<Int>()
            let log: Cell<[String]>

            init(_ log: Cell<[String]>) {
                self.log = log
            }

            func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
            where Observer.Element == Int {
                let subscription = inner.subscribe(observer)
                return Disposables.create { [log] in
                    log.append("left")
                    subscription.dispose()
                }
            }

            func asObserver() -> PublishSubject<Int> {
                inner
            }
        }
        let source = Observable<Int>.create { _ in Disposables.create { log.append("stopped") } }
        for shared in [
            source.multicast(LoggingSubject(log)).refCount(),
            Foreign(own: source.multicast(LoggingSubject(log))).refCount(),
        ] {
            log.update { $0 = [] }
            shared.subscribe().dispose()
            #expect(log.value == ["left", "stopped"])
        }
    }

    @Test func refCountsOfOneConnectableShareItsRun() {
        let source = PublishSubject<Int>()
        let connectable = source.publish()
        let counted = [connectable.refCount(), connectable.refCount()]
        let seen = Cell<[Int]>([])
        let subscriptions = counted.map { $0.subscribe(onNext: { seen.append($0) }) }
        source.onNext(1)
        subscriptions[0].dispose()
        source.onNext(2)
        #expect(seen.value == [1, 1, 2])
        subscriptions[1].dispose()
        #expect(!source.hasObservers)
    }

    /// Threads subscribe and unsubscribe while the run starts, ends and starts again: each subscriber receives an
    /// element and, if the source ends, the end.
    @Test(arguments: ways.indices.filter { ways[$0].remembers && !ways[$0].name.hasPrefix("foreign") }, [false, true])
    func everyConcurrentSubscriberReceivesElementAndEnd(_ index: Int, ends: Bool) async throws {
        let running = Cell(0)
        let most = Cell(0)
        let shared = Self.ways[index].assemble(
            .create { observer in
                running.update { $0 += 1 }
                most.update { $0 = max($0, running.value) }
                observer.onNext(1)
                if ends { observer.onCompleted() }
                return Disposables.create { running.update { $0 -= 1 } }
            })
        try await finishes(threads: 3) { _ in
            for _ in 0..<300 {
                let received = Cell(0)
                let subscription = shared.subscribe(
                    onNext: { _ in if !ends { received.update { $0 += 1 } } },
                    onCompleted: { received.update { $0 += 1 } })
                while received.value == 0 { sched_yield() }
                subscription.dispose()
                #expect(received.value == 1)
            }
        }
        #expect(running.value == 0)
    }

    /// The same where new subscribers receive no replay: each subscriber receives the end.
    @Test(arguments: ways.indices.filter { !ways[$0].name.hasPrefix("foreign") })
    func everyConcurrentSubscriberReceivesEnd(_ index: Int) async throws {
        let sources = Cell<[PublishSubject<Int>]>([])
        let shared = Self.ways[index].assemble(
            .deferred {
                let source = PublishSubject<Int>()
                sources.append(source)
                return source
            })
        let left = Cell(2)
        try await finishes(threads: 3) { thread in
            if thread == 0 {
                while left.value > 0 {
                    let all = sources.value
                    sources.update { $0.removeFirst(all.count) }
                    for source in all { source.onCompleted() }
                    sched_yield()
                }
                return
            }
            for _ in 0..<100 {
                let received = Cell(0)
                _ = shared.subscribe(onCompleted: { received.update { $0 += 1 } })
                while received.value == 0 { sched_yield() }
            }
            left.update { $0 -= 1 }
        }
    }
}
