import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ShareGraceTests {
    /// Subscribers, from and to these times, of a source that emits its time every 10, and when the source is
    /// subscribed to.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var replay = 0
        let subscribers: [ClosedRange<Int>]
        var end: Recorded<Event<Int>>?
        let received: [[Int]]
        let runs: [Subscription]

        init(
            _ name: String, replay: Int = 0, _ subscribers: [ClosedRange<Int>], end: Recorded<Event<Int>>? = nil,
            receive received: [[Int]], _ runs: [Subscription]
        ) {
            testDescription = name
            (self.replay, self.subscribers, self.end) = (replay, subscribers, end)
            (self.received, self.runs) = (received, runs)
        }
    }

    static let cases = [
        Case("the run outlives the subscriber", [205...225], receive: [[210, 220]], [Subscription(205, 255)]),
        Case(
            "a subscriber within the period joins the run", [205...225, 245...265],
            receive: [[210, 220], [250, 260]], [Subscription(205, 295)]),
        Case(
            "replay is kept", replay: 2, [205...225, 245...255], receive: [[210, 220], [230, 240, 250]],
            [Subscription(205, 285)]),
        Case(
            "a subscriber after the period starts a run with an empty buffer", replay: 1, [205...215, 248...255],
            receive: [[210], [250]], [Subscription(205, 245), Subscription(248, 285)]),
        Case(
            "a subscriber at the end of the period, before the timer", [205...225, 255...265],
            receive: [[210, 220], [260]], [Subscription(205, 295)]),
        Case(
            "the period starts anew", [205...215, 235...245, 265...275], receive: [[210], [240], [270]],
            [Subscription(205, 305)]),
        Case(
            "one of two subscribers stays", [205...215, 206...265], receive: [[210], [210, 220, 230, 240, 250, 260]],
            [Subscription(205, 295)]),
        Case(
            "the source ends within the period", [205...215, 245...255], end: .completed(235),
            receive: [[210], [250]], [Subscription(205, 235), Subscription(245, 285)]),
        Case(
            "the source fails within the period", replay: 1, [205...215, 238...255], end: .error(235, TestError()),
            receive: [[210], [240, 250]], [Subscription(205, 235), Subscription(238, 285)]),
    ]

    @Test(arguments: cases) func rule(_ rule: Case) {
        let scheduler = TestScheduler(initialClock: 0)
        let ticks: [Recorded<Event<Int>>] = stride(from: 210, through: 400, by: 10).map { .at($0) }
        let events = (ticks + [rule.end].compactMap { $0 }).sorted { $0.time < $1.time }
        let hot = scheduler.createHotObservable(events)
        let shared = hot.share(
            replay: rule.replay, scope: .whileConnected(grace: .seconds(30), scheduler: scheduler))
        let logs = rule.subscribers.map { range in
            let observer = scheduler.createObserver(Int.self)
            let subscription = SerialDisposable()
            scheduler.scheduleAt(range.lowerBound) { subscription.disposable = shared.subscribe(observer) }
            scheduler.scheduleAt(range.upperBound) { subscription.dispose() }
            return observer
        }
        scheduler.start()
        #expect(logs.map { $0.events.compactMap(\.value.element) } == rule.received)
        #expect(hot.subscriptions == rule.runs)
    }

    /// A source that emits inside `subscribe` and then runs on: a subscriber that is satisfied by that element does not
    /// stop it.
    @Test func subscriberThatEndsInsideSubscribeKeepsRun() {
        let scheduler = TestScheduler(initialClock: 0)
        let (subject, runs) = (PublishSubject<Int>(), Cell(0))
        let shared = Observable.deferred {
            runs.update { $0 += 1 }
            return subject.startWith(1)
        }.share(replay: 1, scope: .whileConnected(grace: .seconds(30), scheduler: scheduler))
        #expect(emitted(by: shared.take(1)) == [.next(1), .completed])
        #expect(subject.hasObservers)
        subject.onNext(2)
        #expect(emitted(by: shared.take(1)) == [.next(2), .completed])
        scheduler.advanceTo(29)
        #expect(subject.hasObservers && runs.value == 1)
        scheduler.advanceTo(60)
        #expect(!subject.hasObservers)
        #expect(emitted(by: shared.take(1)) == [.next(1), .completed])
        #expect(runs.value == 2)
        scheduler.start()
    }

    @Test func endlessSourceInsideSubscribeStopsAfterPeriod() {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let shared = Observable.repeatElement(1).share(
            scope: .whileConnected(grace: .milliseconds(1), scheduler: scheduler))
        #expect(emitted(by: shared.take(1)) == [.next(1), .completed])
    }

    @Test func subscriberThatReplaySatisfiesStartsNoRun() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Int>()
        let shared = source.share(scope: .whileConnected(grace: .seconds(30), scheduler: scheduler))
        let ended = Observable<Int>.never().take(until: Observable.just(0))
        #expect(emitted(by: shared.take(until: ended.materialize())) == [.completed])
        #expect(!source.hasObservers)
        scheduler.start()
    }

    @Test func infallibleForm() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Int>()
        let shared = source.asInfallible(onErrorJustReturn: 0).share(
            replay: 1, scope: .whileConnected(grace: .seconds(30), scheduler: scheduler))
        shared.asObservable().subscribe().dispose()
        #expect(source.hasObservers)
        scheduler.start()
        #expect(!source.hasObservers)
    }

    /// The timer fires on a thread of its own while others subscribe and dispose. A subscriber gets the run that the
    /// timer has left, or the next one, and no run is left over.
    @Test(arguments: [0, 1]) func timerRacesWithSubscribers(replay: Int) async throws {
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
        let (runs, running) = (Cell(0), Cell(0))
        let shared = Observable<Int>.create { observer in
            runs.update { $0 += 1 }
            running.update { $0 += 1 }
            observer.onNext(1)
            return Disposables.create { running.update { $0 -= 1 } }
        }.share(replay: replay, scope: .whileConnected(grace: .microseconds(20), scheduler: scheduler))
        let (silent, repeated) = (Cell(0), Cell(0))
        inParallel(4) { thread in
            for round in 0..<300 {
                let received = Cell(0)
                let subscription = shared.subscribe(onNext: { _ in received.update { $0 += 1 } })
                if (round + thread) % 3 == 0 { for _ in 0..<2000 { _ = running.value } }
                subscription.dispose()
                if received.value == 0 { silent.update { $0 += 1 } }
                if received.value > 1 { repeated.update { $0 += 1 } }
            }
        }
        try await eventually("the last run has stopped") { running.value == 0 }
        #expect(runs.value > 0 && repeated.value == 0)
        // Without replay, a subscriber that joins a run has missed its element.
        #expect(silent.value <= 1200 - (replay == 0 ? runs.value : 0))
    }
}
