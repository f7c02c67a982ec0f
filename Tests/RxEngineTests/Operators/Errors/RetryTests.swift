import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct RetryTests {
    typealias Events = [Recorded<Event<Int>>]

    static let failing: Events = [.next(10, 1), .error(20, TestError())]

    static let table: [(name: String, attempts: Int?, source: Events, result: Events, runs: [Subscription])] = [
        (
            "three times", 3, failing,
            [.next(210, 1), .next(230, 1), .next(250, 1), .error(260, TestError())],
            [Subscription(200, 220), Subscription(220, 240), Subscription(240, 260)]
        ),
        ("once", 1, failing, [.next(210, 1), .error(220, TestError())], [Subscription(200, 220)]),
        ("not at all", 0, failing, [.completed(200)], []),
        ("no error", 3, [.next(10, 1), .completed(20)], [.next(210, 1), .completed(220)], [Subscription(200, 220)]),
        (
            "for ever", nil, [.next(100, 1), .error(250, TestError())],
            [.next(300, 1), .next(550, 1), .next(800, 1)],
            [Subscription(200, 450), Subscription(450, 700), Subscription(700, 950), Subscription(950, 1000)]
        ),
        ("never", nil, [], [], [Subscription(200, 1000)]),
    ]

    @Test(arguments: table)
    func rules(name: String, attempts: Int?, source: Events, result: Events, runs: [Subscription]) {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable(source)
        let observer = scheduler.start {
            if let attempts { cold.retry(attempts) } else { cold.retry() }
        }
        #expect(observer.events == result)
        #expect(cold.subscriptions == runs)
    }

    @Test func negativeCountTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = Observable.just(1).retry(-1)
        }
    }

    @Test(arguments: [false, true]) func synchronousFailuresTakeNoStack(onTrampoline: Bool) {
        onSmallStack {
            let runs = Cell(0)
            let count = 100_000
            let source = Observable<Int>.deferred {
                runs.update { $0 += 1 }
                if runs.value == count { return .just(1) }
                return onTrampoline ? Observable.of(0).map { _ in throw TestError() } : .error(TestError())
            }
            let log = Cell<[Event<Int>]>([])
            _ = source.retry().subscribe { log.append($0) }
            #expect(log.value == [.next(1), .completed])
            #expect(runs.value == count)
        }
    }

    @Test func endlessRetryIsStoppedFromDownstream() {
        let log = Cell<[Int]>([])
        _ = Observable.just(1).concat(Observable.error(TestError())).retry().take(3).subscribe(onNext: {
            log.append($0)
        })
        #expect(log.value == [1, 1, 1])
    }

    @Test func nestedRetries() {
        let runs = Cell(0)
        let errors = Cell(0)
        let source = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return .error(TestError())
        }
        _ = source.retry(2).retry(3).subscribe(onError: { _ in errors.update { $0 += 1 } })
        #expect(runs.value == 6)
        #expect(errors.value == 1)
    }
}
