import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct DelayTests {
    private static let by100: TimedRule<Int>.Operation = { $0.delay(.seconds(100), scheduler: $1) }

    static let rules: [TimedRule<Int>] = [
        .init("never", by100, of: [], is: [], to: 1000),
        .init("empty", by100, of: [.completed(210)], is: [.completed(310)], to: 210),
        .init(
            "all elements keep their distance", by100, of: [.at(250), .at(350), .at(360), .completed(550)],
            is: [.next(350, 250), .next(450, 350), .next(460, 360), .completed(650)], to: 550),
        .init(
            "events of one time are delivered one action after the other", by100,
            of: [.at(210), .next(210, 1), .next(210, 2), .completed(210)],
            is: [.next(310, 210), .next(311, 1), .next(312, 2), .completed(313)], to: 210),
        .init(
            "an error is not delayed", by100, of: [.at(210), .at(220), .error(315, TestError())],
            is: [.next(310, 210), .error(315, TestError())], to: 315),
        .init("disposed", by100, of: [.at(210), .at(220)], is: [.next(310, 210)], to: 315, disposed: 315),
        .init(
            "no time at all", { $0.delay(.seconds(0), scheduler: $1) }, of: [.at(210), .completed(220)],
            is: [.next(211, 210), .completed(221)], to: 220),
        .init(
            "the subscription", { $0.delaySubscription(.seconds(100), scheduler: $1) },
            of: [.at(210), .at(310), .completed(320)], is: [.at(310), .completed(320)], from: 300, to: 320),
        .init(
            "the subscription, an error", { $0.delaySubscription(.seconds(100), scheduler: $1) },
            of: [.error(310, TestError())], is: [.error(310, TestError())], from: 300, to: 310),
        .init(
            "the subscription, disposed", { $0.delaySubscription(.seconds(100), scheduler: $1) },
            of: [.at(310), .at(320)], is: [.at(310)], from: 300, to: 315, disposed: 315),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<Int>) {
        rule.check()
    }

    @Test func disposedDelayedSubscriptionDoesNotStart() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.at(210)])
        let observer = scheduler.start(disposed: 250) { hot.delaySubscription(.seconds(100), scheduler: scheduler) }
        #expect(observer.events.isEmpty)
        #expect(hot.subscriptions.isEmpty)
    }

    @Test func delayedSubscriptionMayEndAtOnce() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start {
            Observable.of(1, 2, 3).delaySubscription(.seconds(100), scheduler: scheduler).take(2)
        }
        #expect(observer.events == [.next(300, 1), .next(300, 2), .completed(300)])
    }

    @Test func delayedElementsKeepOrderOnQueue() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let log = Cell<[Int]>([])
        let isOver = Cell(false)
        let start = scheduler.elapsed
        _ = Observable.range(start: 0, count: 1000).delay(.milliseconds(10), scheduler: scheduler)
            .subscribe(onNext: { log.append($0) }, onCompleted: { isOver.update { $0 = true } })
        try await eventually("all elements are emitted") { isOver.value }
        #expect(log.value == Array(0..<1000))
        #expect(scheduler.elapsed - start >= .milliseconds(10))
    }

    /// The subscription is in place before a synchronous source emits; otherwise nothing could stop it.
    static let endless: [(name: String, apply: @Sendable (Observable<Int>, TestScheduler) -> Observable<Int>)] = [
        ("delaySubscription", { $0.delaySubscription(.seconds(10), scheduler: $1) }),
        ("subscribe(on:)", { $0.subscribe(on: $1) }),
        ("timeout(other:)", { Observable.never().timeout(.seconds(10), other: $0, scheduler: $1) }),
    ]
    static let boundaries: [(name: String, apply: @Sendable (Observable<Int>) -> Observable<Int>)] = [
        ("zip", { .zip([$0]) { $0[0] } }), ("combineLatest", { .combineLatest([$0]) { $0[0] } }),
        ("share", { $0.share() }), ("groupBy", { $0.groupBy { $0 }.merge() }),
        ("sample", { $0.withLatestFrom(Observable.just(7)).flatMap { Observable.just($0) } }),
        ("amb", { $0.amb(.never()) }),
    ]

    @Test(arguments: endless.indices, boundaries.indices)
    func endlessSourceStartedLaterCanBeStopped(_ start: Int, _ boundary: Int) {
        let scheduler = TestScheduler(initialClock: 0)
        let runs = Cell(0)
        let observer = scheduler.start {
            let source = Observable.repeatElement(7).map { number -> Int in
                runs.update { $0 += 1 }
                if runs.value > 1000 { throw TestError("the source continues") }
                return number
            }
            return Self.endless[start].apply(Self.boundaries[boundary].apply(source), scheduler).take(2)
        }
        #expect(observer.events.map(\.value) == [.next(7), .next(7), .completed])
        #expect(runs.value == 2)
    }

    @Test func singleElementOfDelayedSubscriptionIsDeliveredOffTrampoline() {
        let (scheduler, log) = (TestScheduler(initialClock: 0), Cell<[String]>([]))
        _ = Observable.just(1).delaySubscription(.seconds(10), scheduler: scheduler).subscribe(onNext: { _ in
            _ = Observable.of(2).subscribe(onNext: { log.append("\($0)") })
            log.append("1")
        })
        scheduler.start()
        #expect(log.value == ["2", "1"])
    }
}
