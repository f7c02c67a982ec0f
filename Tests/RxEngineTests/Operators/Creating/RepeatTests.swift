import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct RepeatTests {
    @Test(
        arguments: [
            (0, [.completed]), (1, [.next(1), .completed]), (3, [.next(1), .next(1), .next(1), .completed]),
        ] as [(Int, [Event<Int>])])
    func runsSoManyTimes(count: Int, expected: [Event<Int>]) {
        #expect(emitted(by: Observable.just(1).repeat(count)) == expected)
    }

    @Test func runsUntilItFails() {
        let attempts = Cell(0)
        let source = Observable<Int>.deferred {
            attempts.update { $0 += 1 }
            return attempts.value < 3 ? .just(attempts.value) : .error(TestError())
        }
        #expect(emitted(by: source.repeat()) == [.next(1), .next(2), .error(TestError())])
    }

    @Test func runsAsLongAsConditionHolds() {
        let left = Cell(2)
        let source = Observable.just(1).repeat(while: {
            left.update { $0 -= 1 }
            return left.value >= 0
        })
        #expect(emitted(by: source) == [.next(1), .next(1), .next(1), .completed])
        #expect(
            emitted(by: Observable.just(1).repeat(while: { throw TestError() })) == [.next(1), .error(TestError())])
    }

    @Test func endlessSynchronousSourceIsStoppedByItsObserver() {
        #expect(emitted(by: Observable.just(1).repeat().take(2)) == [.next(1), .next(1), .completed])
    }

    @Test func nextRunFollowsInVirtualTime() {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable([.next(10, 1), .completed(20)])
        let observer = scheduler.start { cold.asObservable().repeat(2) }
        #expect(observer.events == [.next(210, 1), .next(230, 1), .completed(240)])
        #expect(cold.subscriptions == [Subscription(200, 220), Subscription(220, 240)])
    }

    @Test func manyRunsNeedNoStack() {
        let count = Cell(0)
        _ = Observable.just(1).repeat(100_000).subscribe(onNext: { _ in count.update { $0 += 1 } })
        #expect(count.value == 100_000)
    }
}
