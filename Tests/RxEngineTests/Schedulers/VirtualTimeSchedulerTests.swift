import FoundationEssentials
import Glibc
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct VirtualTimeSchedulerTests {
    @Test func actionsRunByTimeThenInOrder() {
        let log = Cell<[String]>([])
        let scheduler = TestScheduler(initialClock: 0)
        for (time, name) in [(20, "c"), (10, "a"), (20, "d"), (10, "b"), (30, "e")] {
            scheduler.scheduleAt(time) { log.append("\(name)\(scheduler.clock)") }
        }
        scheduler.start()
        #expect(log.value == ["a10", "b10", "c20", "d20", "e30"])
        #expect(scheduler.clock == 30)
    }

    @Test(arguments: [(true, [1, 2, 11]), (false, [0, 0, 10])])
    func immediateActionsAreDelayedOnRequest(delays: Bool, times: [Int]) {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: delays)
        _ = scheduler.schedule(()) {
            log.append(scheduler.clock)
            _ = scheduler.schedule(()) {
                log.append(scheduler.clock)
                return Disposables.create()
            }
            return scheduler.scheduleRelative((), dueTime: .seconds(10)) {
                log.append(scheduler.clock)
                return Disposables.create()
            }
        }
        scheduler.start()
        #expect(log.value == times)
    }

    @Test func advanceLeavesClockAtTarget() {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 0)
        for time in [10, 20, 30] { scheduler.scheduleAt(time) { log.append(time) } }
        scheduler.advanceTo(20)
        #expect(log.value == [10, 20])
        scheduler.advanceTo(25)
        #expect(scheduler.clock == 25)
        scheduler.start()
        #expect(log.value == [10, 20, 30])
    }

    @Test func sleepMovesClockOnly() {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 0)
        scheduler.scheduleAt(10) { log.append(scheduler.clock) }
        scheduler.sleep(50)
        #expect(scheduler.clock == 50)
        #expect(log.value == [])
        scheduler.start()
        #expect(log.value == [50])
    }

    @Test func stopEndsRun() {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 0)
        for time in [10, 20] {
            scheduler.scheduleAt(time) {
                log.append(time)
                scheduler.start()
                scheduler.stop()
            }
        }
        scheduler.start()
        #expect(log.value == [10])
        scheduler.start()
        #expect(log.value == [10, 20])
    }

    @Test func disposedActionDoesNotMoveClock() {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 0)
        let item = scheduler.scheduleAbsoluteVirtual((), time: 10) {
            log.append(1)
            return Disposables.create()
        }
        let interval = Observable<Int>.interval(.seconds(4), scheduler: scheduler)
            .subscribe(onNext: { _ in log.append(scheduler.clock) })
        scheduler.scheduleAt(9) { interval.dispose() }
        item.dispose()
        scheduler.start()
        #expect(log.value == [4, 8])
        #expect(scheduler.clock == 9)
    }

    /// If an action is not scheduled to run at once, its virtual time is taken as given, whatever the scheduler
    /// simulates.
    @Test(arguments: [true, false]) func onlyImmediateActionsAreDelayed(delays: Bool) {
        let log = Cell<[String]>([])
        let scheduler = TestScheduler(initialClock: 5, simulateProcessingDelay: delays)
        @Sendable func note(_ name: String) -> any Disposable {
            log.append("\(name) \(scheduler.clock)")
            return Disposables.create()
        }
        _ = scheduler.schedule("at once") { note($0) }
        _ = scheduler.scheduleRelative("in no time", dueTime: .seconds(0)) { note($0) }
        _ = scheduler.scheduleRelative("before", dueTime: .seconds(-3)) { note($0) }
        _ = scheduler.scheduleAbsoluteVirtual("now", time: 5) { note($0) }
        _ = scheduler.scheduleRelativeVirtual("after 0", dueTime: 0) { note($0) }
        _ = scheduler.scheduleAbsoluteVirtual("in the past", time: 3) { note($0) }
        scheduler.start()
        #expect(
            log.value
                == (delays
                    ? ["in the past 5", "now 5", "after 0 5", "at once 6", "in no time 6", "before 6"]
                    : ["before 5", "in the past 5", "at once 5", "in no time 5", "now 5", "after 0 5"]))
    }

    /// Spans that operators measure with the scheduler are exact, though dates are not.
    @Test(arguments: [1, 0.1, 0.01, 0.001, 0.000_001]) func fractionsOfSecondAddUp(resolution: Double) {
        let scheduler = TestScheduler(initialClock: 0, resolution: resolution)
        let start = scheduler.elapsed
        for time in 1...300 {
            scheduler.advanceTo(time)
            #expect(scheduler.elapsed - start == .microseconds(Int64((Double(time) * resolution * 1e6).rounded())))
        }
        let hot = scheduler.createHotObservable((301...1100).map { .next($0, $0) })
        let span = RxTimeInterval.microseconds(Int((100 * resolution * 1e6).rounded()))
        let observer = scheduler.start(created: 400, subscribed: 400, disposed: 1050) {
            hot.throttle(span, latest: false, scheduler: scheduler)
        }
        #expect(observer.events == (0...6).map { .next(401 + 100 * $0, 401 + 100 * $0) })
    }

    @Test func disposedActionIsReleasedAtOnce() {
        let scheduler = TestScheduler(initialClock: 0)
        weak var held: Cell<Int>?
        do {
            let box = Cell(0)
            held = box
            scheduler.scheduleAbsoluteVirtual((), time: 10) { [scheduler] in
                box.update { $0 = scheduler.clock }
                return Disposables.create()
            }.dispose()
        }
        #expect(held == nil)
    }

    /// Thousands of actions at any times, a third of them cancelled, and more scheduled while they run.
    @Test func actionsRunInOrderOfTimeForAnyInsertionOrder() {
        struct Turn: Hashable {
            let time: Int
            let number: Int
        }
        var random = SystemRandomNumberGenerator()
        let scheduler = TestScheduler(initialClock: 0)
        let log = Cell<[Turn]>([])
        var expected: [Turn] = []
        for number in 0..<3_000 {
            let turn = Turn(time: Int.random(in: 1..<500, using: &random), number: number)
            let more = Turn(time: 500 + turn.time, number: number)
            let item = scheduler.scheduleAbsoluteVirtual(turn, time: turn.time) { turn in
                log.append(turn)
                scheduler.scheduleAt(more.time) { log.append(more) }
                return Disposables.create()
            }
            if number % 3 == 0 { item.dispose() } else { expected.append(turn) }
        }
        #expect(scheduler.debugDescription == "clock 0, 2000 scheduled")
        scheduler.start()
        expected.sort { ($0.time, $0.number) < ($1.time, $1.number) }
        expected += expected.map { Turn(time: 500 + $0.time, number: $0.number) }
        #expect(log.value == expected)
    }

    @Test func cancelledActionsAreReleasedBeforeTheirTime() {
        final class Handle {
            weak var item: AnyObject?
        }
        let scheduler = TestScheduler(initialClock: 0)
        let kept = scheduler.scheduleAbsoluteVirtual((), time: 5) { Disposables.create() }
        let handles = (0..<10_000).map { number in
            let handle = Handle()
            let item = scheduler.scheduleAbsoluteVirtual((), time: number) { Disposables.create() }
            handle.item = item as AnyObject
            item.dispose()
            return handle
        }
        #expect(handles.count { $0.item != nil } <= 64)
        #expect(scheduler.debugDescription == "clock 0, 1 scheduled")
        kept.dispose()
    }

    @Test func periodicActionsCatchUpWithoutOverlap() {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 0)
        let timer = scheduler.schedulePeriodic(0, startAfter: .seconds(10), period: .seconds(10)) { state in
            log.append(scheduler.clock)
            // A run that takes three periods: the tick that fell due meanwhile follows at once.
            if state == 0 { scheduler.sleep(30) }
            return state + 1
        }
        scheduler.scheduleAt(75) { timer.dispose() }
        scheduler.start()
        #expect(log.value == [10, 40, 50, 60, 70])
    }

    @Test func clockConvertsToWallTime() {
        let scheduler = TestScheduler(initialClock: 10, resolution: 0.5)
        #expect(scheduler.now == Date(timeIntervalSince1970: 5))
        #expect("\(scheduler.debugDescription)" == "clock 10, 0 scheduled")
    }

    @Test func misuseTraps() async {
        await #expect(processExitsWith: .failure) { TestScheduler(initialClock: 0).sleep(-1) }
        await #expect(processExitsWith: .failure) {
            let scheduler = TestScheduler(initialClock: 0)
            scheduler.scheduleAt(1) { scheduler.advanceTo(5) }
            scheduler.start()
        }
        await #expect(processExitsWith: .failure) {
            let scheduler = TestScheduler(initialClock: 0)
            var thread = pthread_t()
            let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
                if let argument { Unmanaged<TestScheduler>.fromOpaque(argument).takeUnretainedValue().start() }
                return nil
            }
            pthread_create(&thread, nil, start, Unmanaged.passUnretained(scheduler).toOpaque())
            pthread_join(thread, nil)
        }
    }
}
