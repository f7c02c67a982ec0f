import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct BufferTests {
    private static let byThree: TimedRule<[Int]>.Operation = {
        $0.buffer(timeSpan: .seconds(70), count: 3, scheduler: $1)
    }

    static let rules: [TimedRule<[Int]>] = [
        .init("never", byThree, of: [], is: [.next(270, []), .next(340, [])], to: 400, disposed: 400),
        .init("empty", byThree, of: [.completed(210)], is: [.next(210, []), .completed(210)], to: 210),
        .init(
            "by count, by time, and the rest", byThree,
            of: [.at(210), .at(220), .at(230), .at(240), .at(310), .completed(350)],
            is: [.next(230, [210, 220, 230]), .next(300, [240]), .next(350, [310]), .completed(350)], to: 350),
        .init(
            "the span starts with each buffer", byThree, of: [.at(260), .at(265), .at(269), .at(300), .completed(400)],
            is: [.next(269, [260, 265, 269]), .next(339, [300]), .next(400, []), .completed(400)], to: 400),
        .init(
            "the span ends at the last element", byThree, of: [.at(210), .at(220), .at(270), .completed(300)],
            is: [.next(270, [210, 220, 270]), .next(300, []), .completed(300)], to: 300),
        .init(
            "an error drops the rest", byThree, of: [.at(210), .error(220, TestError())],
            is: [.error(220, TestError())], to: 220),
        .init("disposed", byThree, of: [.at(210)], is: [], to: 220, disposed: 220),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<[Int]>) {
        rule.check()
    }

    @Test func reentrantElementsEnterNextBuffer() {
        let scheduler = TestScheduler(initialClock: 0)
        let subject = PublishSubject<Int>()
        let log = scheduler.createObserver([Int].self)
        let subscription = subject.buffer(timeSpan: .seconds(10), count: 2, scheduler: scheduler)
            .do(onNext: { if $0 == [1, 2] { for value in 3...5 { subject.onNext(value) } } }).subscribe(log)
        scheduler.scheduleAt(5) {
            subject.onNext(1)
            subject.onNext(2)
        }
        scheduler.scheduleAt(20) { subscription.dispose() }
        scheduler.start()
        #expect(log.events == [.next(5, [1, 2]), .next(5, [3, 4]), .next(15, [5])])
    }

    @Test func bufferOnQueueLosesNothing() async throws {
        let log = Cell<[Int]>([])
        let isOver = Cell(false)
        let source = Observable<Int>.interval(.microseconds(50), scheduler: SerialDispatchQueueScheduler(qos: .utility))
        _ = source.take(500)
            .buffer(timeSpan: .milliseconds(1), count: 7, scheduler: SerialDispatchQueueScheduler(qos: .default))
            .subscribe(
                onNext: { buffer in
                    #expect(buffer.count <= 7)
                    log.update { $0 += buffer }
                },
                onCompleted: { isOver.update { $0 = true } })
        try await eventually("the sequence has ended") { isOver.value }
        #expect(log.value == Array(0..<500))
    }
}
