import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct TimerTests {
    @Test func intervalCountsFromZero() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start { Observable<Int>.interval(.seconds(100), scheduler: scheduler) }
        #expect(observer.events == (0...6).map { .next(300 + 100 * $0, $0) })
    }

    @Test func intervalOfZeroTicksAtEveryAction() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start(disposed: 204) { Observable<Int>.interval(.seconds(0), scheduler: scheduler) }
        #expect(observer.events == [.next(201, 0), .next(202, 1), .next(203, 2)])
    }

    @Test func timerWithoutPeriodTicksOnce() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start { Observable<Int>.timer(.seconds(100), scheduler: scheduler) }
        #expect(observer.events == [.next(300, 0), .completed(300)])
    }

    @Test func disposedTimerDoesNotTick() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start(disposed: 250) {
            Observable<Int>.timer(.seconds(100), scheduler: scheduler)
        }
        #expect(observer.events == [])
    }

    @Test func timerWithPeriodRepeats() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start(disposed: 360) {
            Observable<Int8>.timer(.seconds(50), period: .seconds(40), scheduler: scheduler)
        }
        #expect(observer.events == [.next(250, 0), .next(290, 1), .next(330, 2)])
    }

    @Test func countWrapsAround() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start(disposed: 470) {
            Observable<UInt8>.interval(.seconds(1), scheduler: scheduler)
        }
        #expect(observer.events.last == .next(469, 12))
    }

    @Test func intervalOnDispatchQueueTicksAndIsReleased() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let log = Cell<[Int]>([])
        let subscription = Observable<Int>.interval(.milliseconds(1), scheduler: scheduler)
            .subscribe(onNext: { log.append($0) })
        #if TRACE_RESOURCES
        #expect(Resources.count(of: .timer) == 1)
        #endif
        try await eventually("ticks") { log.value.count >= 3 }
        subscription.dispose()
        #if TRACE_RESOURCES
        #expect(Resources.count(of: .timer) == 0)
        #endif
        #expect(log.value.prefix(3) == [0, 1, 2])
    }
}
