import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct StartWithTests {
    typealias Events = [Recorded<Event<Int>>]

    static let table: [(name: String, source: Events, result: Events, left: Int)] = [
        (
            "elements", [.next(190, 1), .next(210, 2), .completed(220)],
            [.next(200, 8), .next(200, 9), .next(210, 2), .completed(220)], 220
        ),
        ("never", [], [.next(200, 8), .next(200, 9)], 1000),
        ("error", [.error(210, TestError())], [.next(200, 8), .next(200, 9), .error(210, TestError())], 210),
    ]

    @Test(arguments: table) func rules(name: String, source: Events, result: Events, left: Int) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(source)
        let observer = scheduler.start { hot.startWith(8, 9) }
        #expect(observer.events == result)
        #expect(hot.subscriptions == [Subscription(200, left)])
    }

    @Test func prefixIsEmittedBeforeSourceStarts() {
        let log = Cell<[Int]>([])
        let source = Observable<Int>.deferred {
            log.append(-1)
            return .just(3)
        }
        _ = source.startWith(2).startWith(1).subscribe(onNext: { log.append($0) })
        #expect(log.value == [1, 2, -1, 3])
        log.update { $0 = [] }
        _ = source.startWith(1, 2, 3).take(2).subscribe(onNext: { log.append($0) })
        #expect(log.value == [1, 2])
    }
}
