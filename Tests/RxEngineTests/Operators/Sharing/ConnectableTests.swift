import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ConnectableTests {
    private typealias Events = [Recorded<Event<Int>>]
    private typealias Assemble = @Sendable (Observable<Int>) -> ConnectableObservable<Int>

    /// Which of the elements 1 to 4, emitted every 20 from 210 on and followed by the end at 290, each subscriber
    /// receives: the run is connected at 215, and the subscribers subscribe at 200 and 245.
    private static let rules: [(name: String, assemble: Assemble, second: Events)] = [
        ("publish", { $0.publish() }, []),
        ("multicast", { $0.multicast(PublishSubject()) }, []),
        ("multicast(makeSubject:)", { $0.multicast { PublishSubject<Int>() } }, []),
        ("replay(0)", { $0.replay(0) }, []),
        ("replay(1)", { $0.replay(1) }, [.next(245, 2)]),
        ("replay(9)", { $0.replay(9) }, [.next(245, 2)]),
        ("replayAll", { $0.replayAll() }, [.next(245, 2)]),
        ("multicast(replay)", { $0.multicast(ReplaySubject.createUnbounded()) }, [.next(245, 2)]),
    ]

    @Test(arguments: rules.indices) func subscribersShareOneRun(_ index: Int) {
        let rule = Self.rules[index]
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(
            [.next(210, 1), .next(230, 2), .next(250, 3), .next(270, 4), .completed(290)] as Events)
        let connectable = rule.assemble(hot.asObservable())
        let observers = (0..<2).map { _ in scheduler.createObserver(Int.self) }
        scheduler.scheduleAt(200) { _ = connectable.subscribe(observers[0]) }
        scheduler.scheduleAt(215) { _ = connectable.connect() }
        scheduler.scheduleAt(245) { _ = connectable.subscribe(observers[1]) }
        scheduler.start()
        #expect(observers[0].events == [.next(230, 2), .next(250, 3), .next(270, 4), .completed(290)])
        #expect(observers[1].events == rule.second + [.next(250, 3), .next(270, 4), .completed(290)])
        #expect(hot.subscriptions == [Subscription(215, 290)])
    }

    /// A run that nothing refers to any more releases the subscribers that are left.
    @Test(arguments: rules.indices) func releasedRunReleasesItsSubscribers(_ index: Int) {
        let rule = Self.rules[index]
        let before = Resources.total
        do {
            let connectable = rule.assemble(.never())
            _ = connectable.subscribe()
            _ = connectable.connect()
        }
        #expect(Resources.total == before, "\(rule.name)")
    }

    @Test(arguments: rules.indices) func secondConnectReturnsSameConnection(_ index: Int) {
        let source = PublishSubject<Int>()
        let runs = Cell(0)
        let connectable = Self.rules[index].assemble(
            .deferred {
                runs.update { $0 += 1 }
                return source
            })
        let seen = Cell<[Int]>([])
        let subscription = connectable.subscribe(onNext: { seen.append($0) })
        let connections = [connectable.connect(), connectable.connect()]
        source.onNext(1)
        #expect(runs.value == 1)
        #expect(connections[0] as AnyObject === connections[1] as AnyObject)
        #expect((connections[0] as? any Cancelable)?.isDisposed == false)
        connections[1].dispose()
        connections[1].dispose()
        #expect(connections.allSatisfy { ($0 as? any Cancelable)?.isDisposed == true })
        #expect(!source.hasObservers)
        source.onNext(2)
        // The next connection is another run, which the handles of the last one do not control.
        let next = connectable.connect()
        #expect(next as AnyObject !== connections[0] as AnyObject)
        connections[0].dispose()
        #expect(source.hasObservers)
        #expect(runs.value == 2)
        next.dispose()
        #expect(!source.hasObservers)
        #expect(seen.value == [1])
        subscription.dispose()
    }

    /// What subscribers receive after a run was stopped. A call of `connect()` whose run has ended by the time it
    /// returns must not replace the handle of the next run.
    @Test func runEndingInsideConnectKeepsNextHandle() {
        let subject = PublishSubject<Int>()
        let runs = Cell(0)
        let source = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return runs.value == 1 ? .empty() : subject
        }
        let connectable = source.publish()
        let second = SingleAssignmentDisposable()
        let handle = Cell<(any Cancelable)?>(nil)
        second.setDisposable(
            connectable.subscribe(onCompleted: { handle.update { $0 = connectable.connect() as? any Cancelable } }))
        let first = connectable.connect() as? any Cancelable
        #expect(first?.isDisposed == true)
        #expect(subject.hasObservers)
        #expect(connectable.connect() as AnyObject === handle.value as AnyObject)
        handle.value?.dispose()
        handle.update { $0 = nil }
        #expect(!subject.hasObservers)
    }

    @Test(arguments: rules.indices) func newRunReplaysNothing(_ index: Int) {
        let rule = Self.rules[index]
        let source = PublishSubject<Int>()
        let connectable = rule.assemble(source)
        let connection = connectable.connect()
        source.onNext(1)
        connection.dispose()
        let seen = Cell<[Int]>([])
        let subscription = connectable.subscribe(onNext: { seen.append($0) })
        let next = connectable.connect()
        source.onNext(2)
        // The caller owns a subject that it passes in, with all that the subject remembers.
        #expect(seen.value == (rule.name == "multicast(replay)" ? [1, 2] : [2]))
        subscription.dispose()
        next.dispose()
    }

    /// Whether there is another run after the end.
    @Test(arguments: rules.indices) func connectingAfterEnd(_ index: Int) {
        let rule = Self.rules[index]
        let connectable = rule.assemble(.of(1, 2))
        let isTheUsers = rule.name == "multicast" || rule.name == "multicast(replay)"
        for round in 1...2 {
            let seen = Cell<[Event<Int>]>([])
            let subscription = connectable.subscribe { seen.append($0) }
            _ = connectable.connect()
            let isOver = isTheUsers && round == 2
            let all: [Event<Int>] = [.next(1), .next(2), .completed]
            #expect(seen.value == (isOver && rule.name == "multicast" ? [.completed] : all), "\(rule.name)")
            subscription.dispose()
        }
    }

    @Test(arguments: rules.indices) func errorEndsConnection(_ index: Int) {
        let connectable = Self.rules[index].assemble(
            Observable.of(1, 2).map { try $0 == 1 ? $0 : { throw TestError("e") }() })
        let seen = Cell<[Event<Int>]>([])
        _ = connectable.subscribe { seen.append($0) }
        _ = connectable.connect()
        #expect(seen.value == [.next(1), .error(TestError("e"))])
    }

    @Test(arguments: rules.indices) func subscribingStartsNoRun(_ index: Int) {
        let source = PublishSubject<Int>()
        do {
            let connectable = Self.rules[index].assemble(source)
            connectable.subscribe().dispose()
            _ = connectable.subscribe(onNext: { _ in }) as any Disposable
        }
        #expect(!source.hasObservers)
    }

    @Test(arguments: rules.indices) func concurrentConnectsStartOneRun(_ index: Int) {
        for _ in 0..<100 {
            let runs = Cell(0)
            let source = PublishSubject<Int>()
            let connectable = Self.rules[index].assemble(
                .deferred {
                    runs.update { $0 += 1 }
                    return source
                })
            let connections = CompositeDisposable()
            inParallel(3) { _ in _ = connections.insert(connectable.connect()) }
            #expect(runs.value == 1)
            connections.dispose()
            #expect(!source.hasObservers)
        }
    }

    @Test func negativeReplayTraps() async {
        await #expect(processExitsWith: .failure) { _ = Observable.just(1).replay(-1) }
    }
}
