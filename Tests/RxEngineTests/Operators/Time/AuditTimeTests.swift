import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct AuditTimeTests {
    private static let audit: TimedRule<Int>.Operation = { $0.auditTime(.seconds(20), scheduler: $1) }

    static let rules: [TimedRule<Int>] = [
        .init("never", audit, of: [], is: [], to: 1000),
        .init("empty", audit, of: [.completed(210)], is: [.completed(210)], to: 210),
        .init("an error", audit, of: [.error(210, TestError())], is: [.error(210, TestError())], to: 210),
        .init(
            "the latest of each span", audit, of: [.at(210), .at(215), .at(225), .at(240), .completed(400)],
            is: [.next(230, 225), .next(260, 240), .completed(400)], to: 400),
        .init(
            "a new span starts with the next element", audit, of: [.at(210), .at(235), .at(250), .completed(400)],
            is: [.next(230, 210), .next(255, 250), .completed(400)], to: 400),
        .init(
            "completion follows the pending element", audit, of: [.at(210), .at(215), .completed(220)],
            is: [.next(230, 215), .completed(230)], to: 220),
        .init(
            "an error drops the pending element", audit, of: [.at(210), .error(220, TestError())],
            is: [.error(220, TestError())], to: 220),
        .init(
            "disposed before the element is due", audit, of: [.at(210)], is: [], to: 220, disposed: 220),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<Int>) {
        rule.check()
    }

    @Test func reentrantElementStartsNextSpan() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Int>()
        let observer = scheduler.createObserver(Int.self)
        let subscription = source.auditTime(.seconds(20), scheduler: scheduler)
            .do(onNext: { if $0 == 1 { source.onNext(2) } }).subscribe(observer)
        source.onNext(1)
        scheduler.start()
        #expect(observer.events == [.next(20, 1), .next(40, 2)])
        subscription.dispose()
    }

    @Test func disposalInsideElementSuppressesCompletion() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.createObserver(Int.self)
        let subscription = SerialDisposable()
        subscription.disposable = Observable.of(1, 2).auditTime(.seconds(20), scheduler: scheduler)
            .do(onNext: { _ in subscription.dispose() }).subscribe(observer)
        scheduler.start()
        #expect(observer.events == [])
    }

    @Test func elementsOnQueueArriveInOrder() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let (log, isOver) = (Cell<[Int]>([]), Cell(false))
        let subject = PublishSubject<Int>()
        let subscription = subject.auditTime(.microseconds(50), scheduler: scheduler).subscribe(
            onNext: { log.append($0) }, onCompleted: { isOver.update { $0 = true } })
        for value in 0..<10_000 { subject.onNext(value) }
        subject.onCompleted()
        try await eventually("the result has completed") { isOver.value }
        #expect(log.value == log.value.sorted() && log.value.last == 9999)
        subscription.dispose()
    }

    @Test func formsOfOtherTypes() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.at(210), .at(215), .completed(300)])
        let observer = scheduler.start {
            hot.asInfallible(onErrorJustReturn: 0).auditTime(.seconds(20), scheduler: scheduler).asObservable()
        }
        #expect(observer.events == [.next(230, 215), .completed(300)])
        let driver: Observable<Int> = SharingScheduler.mock(scheduler: scheduler) {
            Driver.of(1, 2).auditTime(.seconds(20)).asObservable()
        }
        #expect(emittedEvents(by: driver, on: scheduler) == [.next(2), .completed])
    }

    private func emittedEvents(by source: Observable<Int>, on scheduler: TestScheduler) -> [Event<Int>] {
        let log = EventLog<Int>()
        let subscription = source.subscribe(log)
        scheduler.start()
        subscription.dispose()
        return log.events
    }
}
