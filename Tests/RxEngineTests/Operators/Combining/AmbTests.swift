import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct AmbTests {
    typealias Events = [Recorded<Event<Int>>]

    static let table: [(name: String, left: Events, right: Events, result: Events, until: (Int, Int))] = [
        (
            "the first source wins", [.next(210, 1), .next(230, 2), .completed(240)], [.next(220, 8), .completed(260)],
            [.next(210, 1), .next(230, 2), .completed(240)], (240, 210)
        ),
        (
            "the second source wins", [.next(230, 1)], [.next(220, 8), .next(240, 9)],
            [.next(220, 8), .next(240, 9)], (220, 1000)
        ),
        ("a source that ends first wins", [.completed(210)], [.next(220, 8)], [.completed(210)], (210, 210)),
        (
            "a source that fails first wins", [.next(220, 1)], [.error(210, TestError())], [.error(210, TestError())],
            (210, 210)
        ),
        (
            "the winner fails", [.next(210, 1), .error(230, TestError())], [.next(220, 8)],
            [.next(210, 1), .error(230, TestError())], (230, 210)
        ),
        ("neither", [], [], [], (1000, 1000)),
    ]

    @Test(arguments: table) func rules(name: String, left: Events, right: Events, result: Events, until: (Int, Int)) {
        let spellings: [@Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>] = [
            { $0.amb($1) }, { .amb([$0, $1]) }, { .amb(AnySequence([$0, $1])) },
        ]
        for amb in spellings {
            let scheduler = TestScheduler(initialClock: 0)
            let (one, two) = (scheduler.createHotObservable(left), scheduler.createHotObservable(right))
            let observer = scheduler.start { amb(one.asObservable(), two.asObservable()) }
            #expect(observer.events == result)
            #expect(one.subscriptions == [Subscription(200, until.0)])
            #expect(two.subscriptions == [Subscription(200, until.1)])
        }
    }

    @Test func ambOfMany() {
        let subjects = (0..<5).map { _ in PublishSubject<Int>() }
        let log = Cell<[Event<Int>]>([])
        let subscription = Observable.amb(subjects).subscribe { log.append($0) }
        subjects[3].onNext(3)
        #expect(subjects.map(\.hasObservers) == [false, false, false, true, false])
        subjects[1].onNext(1)
        subjects[3].onCompleted()
        #expect(log.value == [.next(3), .completed])
        subscription.dispose()
        _ = Observable.amb([Observable<Int>]()).subscribe { log.append($0) }
        #expect(log.value.count == 2)
    }

    @Test func secondSourceIsStoppedIfFirstIsSynchronous() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(210, 8)])
        let observer = scheduler.start { Observable.just(1).amb(hot.asObservable()) }
        #expect(observer.events == [.next(200, 1), .completed(200)])
        #expect(hot.subscriptions == [Subscription(200, 200)])
    }

    @Test func endlessSourceIsStoppedFromDownstream() {
        let log = Cell<[Int]>([])
        _ = Endless().amb(Endless()).take(2).subscribe(onNext: { log.append($0) })
        #expect(log.value == [0, 1])
    }

    @Test func exactlyOneConcurrentSourceWins() async {
        for round in 0..<200 {
            let subjects = (0..<4).map { _ in PublishSubject<Int>() }
            let log = Cell<[Int]>([])
            let subscription = Observable.amb(subjects).subscribe(onNext: { log.append($0) })
            await withTaskGroup(of: Void.self) { group in
                for (index, subject) in subjects.enumerated() {
                    group.addTask { for _ in 0..<20 { subject.onNext(index) } }
                }
            }
            #expect(Set(log.value).count == 1, "round \(round)")
            #expect(log.value.count == 20)
            subscription.dispose()
        }
    }
}
