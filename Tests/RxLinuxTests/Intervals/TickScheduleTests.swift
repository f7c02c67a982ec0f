import RxEngine
import RxEngineTest
import RxLinux
import TestSupport
import Testing

@Suite(.balanced) struct TickScheduleTests {
    /// The ticks of an interval that is subscribed to at 0 and disposed at 100.
    private func times(
        _ schedule: TickSchedule, asleep: [Int: Int] = [:], jitters: [Duration] = []
    ) -> [Int] {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let log = Cell<[Int]>([])
        let rest = Cell(jitters)
        let subscription = Observable.ticks(schedule, scheduler: scheduler) { maximum in
            let jitter = rest.value.first ?? .zero
            rest.update { $0 = Array($0.dropFirst()) }
            return min(jitter, maximum)
        }
        .subscribe(onNext: { tick in
            #expect(tick == log.value.count)
            log.append(scheduler.clock)
            scheduler.sleep(asleep[tick] ?? 0)
        })
        scheduler.advanceTo(100)
        subscription.dispose()
        scheduler.start()
        return log.value
    }

    @Test(arguments: [
        (TickSchedule(every: .seconds(30)), [30, 60, 90]),
        (TickSchedule(every: .seconds(30), delay: .seconds(1)), [1, 31, 61, 91]),
        (TickSchedule(every: .seconds(30), delay: .zero), [0, 30, 60, 90]),
        (TickSchedule(every: .seconds(20), delay: .seconds(70)), [70, 90]),
        (TickSchedule(every: .seconds(20), delay: .seconds(101)), []),
    ])
    func ticksAfterDelayAndThenEveryPeriod(schedule: TickSchedule, expected: [Int]) {
        #expect(times(schedule) == expected)
    }

    @Test func jitterDelaysSingleTicks() {
        let schedule = TickSchedule(every: .seconds(20), jitter: .seconds(5))
        let jitters: [Duration] = [.seconds(4), .zero, .seconds(3), .seconds(99)]
        #expect(times(schedule, jitters: jitters) == [24, 40, 63, 85, 100])
    }

    @Test func noRandomNumberWithoutJitter() {
        #expect(times(TickSchedule(every: .seconds(40)), jitters: [.seconds(7)]) == [40, 80])
    }

    @Test func defaultJitterIsBetweenZeroAndMaximum() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.001, simulateProcessingDelay: false)
        let log = Cell<[Int]>([])
        let subscription = Observable.ticks(
            TickSchedule(every: .seconds(1), jitter: .milliseconds(500)), scheduler: scheduler
        )
        .subscribe(onNext: { _ in log.append(scheduler.clock % 1000) })
        scheduler.advanceTo(100_999)
        subscription.dispose()
        scheduler.start()
        #expect(log.value.count == 100 && log.value.allSatisfy { (0...500).contains($0) })
        #expect(Set(log.value).count > 10)
    }

    @Test(
        arguments: [
            // Busy for less than a period: no tick moves.
            ([1: 9], [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]),
            // The tick of 30 is late, at 35; the next is on time again.
            ([1: 15], [10, 20, 35, 40, 50, 60, 70, 80, 90, 100]),
            // Of 30, 40 and 50 the first is emitted late, the others are skipped.
            ([1: 35], [10, 20, 55, 60, 70, 80, 90, 100]),
            ([0: 25, 3: 25], [10, 35, 40, 50, 75, 80, 90, 100]),
        ] as [([Int: Int], [Int])])
    func missedTicksAreEmittedOnce(asleep: [Int: Int], expected: [Int]) {
        #expect(times(TickSchedule(every: .seconds(10)), asleep: asleep) == expected)
    }

    @Test func eachSubscriberHasItsOwnCount() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let ticks = Observable.ticks(TickSchedule(every: .seconds(10)), scheduler: scheduler)
        let (first, second) = (scheduler.createObserver(Int.self), scheduler.createObserver(Int.self))
        let one = ticks.subscribe(first)
        scheduler.advanceTo(15)
        let other = ticks.subscribe(second)
        scheduler.advanceTo(30)
        one.dispose()
        other.dispose()
        scheduler.start()
        #expect(first.events == [.next(10, 0), .next(20, 1), .next(30, 2)])
        #expect(second.events == [.next(25, 0)])
    }

    @Test func disposedObserverReceivesNoTicks() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let log = Cell<[Int]>([])
        let subscription = SerialDisposable()
        subscription.disposable = Observable.ticks(TickSchedule(every: .seconds(10)), scheduler: scheduler)
            .subscribe(onNext: { tick in
                log.append(tick)
                if tick == 1 { subscription.dispose() }
            })
        scheduler.start()
        #expect(log.value == [0, 1])
    }

    @Test func periodMustBePositive() async {
        await #expect(processExitsWith: .failure) {
            _ = Observable.ticks(TickSchedule(every: .zero), scheduler: TestScheduler(initialClock: 0))
        }
    }
}
