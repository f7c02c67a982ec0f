import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct FilterTests {
    typealias Events = [Recorded<Event<Int>>]

    static let table: [(name: String, source: Events, result: Events, left: Int)] = [
        ("never", [], [], 1000),
        ("empty", [.completed(300)], [.completed(300)], 300),
        (
            "elements", [.next(210, 1), .next(220, 20), .next(230, 3), .next(240, 40), .completed(300)],
            [.next(220, 20), .next(240, 40), .completed(300)], 300
        ),
        ("error", [.next(210, 20), .error(220, TestError())], [.next(210, 20), .error(220, TestError())], 220),
        (
            "a throwing closure", [.next(210, 20), .next(220, -1), .next(230, 30)],
            [.next(210, 20), .error(220, TestError("negative"))], 220
        ),
        ("disposed", [.next(210, 20), .next(1010, 30)], [.next(210, 20)], 1000),
    ]

    @Test(arguments: table) func rules(name: String, source: Events, result: Events, left: Int) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(source)
        let observer = scheduler.start {
            hot.filter {
                if $0 < 0 { throw TestError("negative") }
                return $0 > 10
            }
        }
        #expect(observer.events == result)
        #expect(hot.subscriptions == [Subscription(200, left)])
    }

    @Test func disposingInsidePredicateDropsElement() {
        let log = Cell<[Int]>([])
        let handle = SerialDisposable()
        let subject = PublishSubject<Int>()
        handle.disposable = subject.filter { value in
            if value == 2 { handle.dispose() }
            return true
        }.subscribe(onNext: { log.append($0) })
        subject.onNext(1)
        subject.onNext(2)
        #expect(log.value == [1])
    }
}
