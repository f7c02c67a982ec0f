import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct DebounceTests {
    private static let by20: TimedRule<Int>.Operation = { $0.debounce(.seconds(20), scheduler: $1) }

    static let rules: [TimedRule<Int>] = [
        .init("never", by20, of: [], is: [], to: 1000),
        .init("empty", by20, of: [.completed(210)], is: [.completed(210)], to: 210),
        .init("an error", by20, of: [.error(210, TestError())], is: [.error(210, TestError())], to: 210),
        .init(
            "far apart", by20, of: [.at(210), .at(250), .at(300), .completed(400)],
            is: [.next(230, 210), .next(270, 250), .next(320, 300), .completed(400)], to: 400),
        .init(
            "each quiet period starts at its element", by20, of: [.at(210), .at(215), .at(229), .at(240), .at(290)],
            is: [.next(260, 240), .next(310, 290)], to: 1000),
        .init(
            "just in time", by20, of: [.at(210), .at(230), .at(250), .at(270), .completed(400)],
            is: [.next(290, 270), .completed(400)], to: 400),
        .init("two at once", by20, of: [.at(210), .next(210, 7)], is: [.next(230, 7)], to: 1000),
        .init(
            "completion emits the pending element", by20, of: [.at(210), .at(220), .completed(225)],
            is: [.next(225, 220), .completed(225)], to: 225),
        .init(
            "an error drops the pending element", by20, of: [.at(210), .at(220), .error(225, TestError())],
            is: [.error(225, TestError())], to: 225),
        .init("disposed before the pending element is due", by20, of: [.at(210)], is: [], to: 220, disposed: 220),
        .init(
            "no time at all", { $0.debounce(.seconds(0), scheduler: $1) }, of: [.at(210), .at(220), .completed(300)],
            is: [.next(211, 210), .next(221, 220), .completed(300)], to: 300),
        .init(
            "no quiet period is long enough", { $0.debounce(.never, scheduler: $1) }, of: [.at(210), .completed(300)],
            is: [.next(300, 210), .completed(300)], to: 300),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<Int>) {
        rule.check()
    }

    @Test func reentrantElementRestartsQuietPeriod() {
        let scheduler = TestScheduler(initialClock: 0)
        let subject = PublishSubject<Int>()
        let log = scheduler.createObserver(Int.self)
        let subscription = subject.debounce(.seconds(10), scheduler: scheduler)
            .do(onNext: { if $0 < 3 { subject.onNext($0 + 1) } }).subscribe(log)
        scheduler.scheduleAt(100) { subject.onNext(1) }
        scheduler.start()
        #expect(log.events == [.next(110, 1), .next(120, 2), .next(130, 3)])
        subscription.dispose()
    }

    @Test func oneTimerServesAllElementsOnQueue() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let log = Cell<[(Int, Duration)]>([])
        let subject = PublishSubject<Int>()
        let subscription = subject.debounce(.milliseconds(50), scheduler: scheduler).subscribe(onNext: { [scheduler] in
            log.append(($0, scheduler.elapsed))
        })
        var last = scheduler.elapsed
        let end = last + .milliseconds(150)
        var number = 0
        while last < end {
            number += 1
            last = scheduler.elapsed
            subject.onNext(number)
            #if TRACE_RESOURCES
            #expect(Resources.count(of: .timer) <= 1)
            #endif
        }
        try await eventually("the last element is emitted") { log.value.last?.0 == number }
        // A busy machine may leave this thread silent for long, but no element may be emitted too early.
        #expect(log.value.last.map { $0.1 - last >= .milliseconds(50) } == true)
        subject.onNext(-1)
        subject.onCompleted()
        // The thread that emits the element before emits this one, too, if it has not returned yet.
        try await eventually("the pending element is emitted") { log.value.last?.0 == -1 }
        subscription.dispose()
    }
}
