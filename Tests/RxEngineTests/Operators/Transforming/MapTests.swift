import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct MapTests {
    typealias Events = [Recorded<Event<Int>>]

    static let table: [(name: String, source: Events, result: Events, left: Int)] = [
        ("never", [], [], 1000),
        ("empty", [.completed(300)], [.completed(300)], 300),
        ("before subscribing", [.next(150, 1), .completed(300)], [.completed(300)], 300),
        (
            "elements", [.next(210, 1), .next(220, 2), .completed(300)],
            [.next(210, 10), .next(220, 20), .completed(300)], 300
        ),
        ("error", [.next(210, 1), .error(220, TestError())], [.next(210, 10), .error(220, TestError())], 220),
        (
            "a throwing closure", [.next(210, 1), .next(220, -1), .next(230, 2)],
            [.next(210, 10), .error(220, TestError("negative"))], 220
        ),
        ("disposed", [.next(210, 1), .next(1010, 2)], [.next(210, 10)], 1000),
    ]

    @Test(arguments: table) func rules(name: String, source: Events, result: Events, left: Int) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(source)
        let observer = scheduler.start {
            hot.map {
                if $0 < 0 { throw TestError("negative") }
                return $0 * 10
            }
        }
        #expect(observer.events == result)
        #expect(hot.subscriptions == [Subscription(200, left)])
    }

    @Test func disposingInsideClosureDropsResult() {
        let log = Cell<[Int]>([])
        let handle = SerialDisposable()
        let subject = PublishSubject<Int>()
        handle.disposable = subject.map { value in
            if value == 2 { handle.dispose() }
            return value
        }.subscribe(onNext: { log.append($0) })
        subject.onNext(1)
        subject.onNext(2)
        subject.onNext(3)
        #expect(log.value == [1])
    }
}
