import Dispatch
import RxEngine
import Synchronization
import TestSupport
import Testing

/// Tests of the dispatch schedulers' timers.
@Suite(.balanced) struct DispatchTimersTests {
    static let schedulers: [@Sendable () -> any SchedulerType] = [
        { SerialDispatchQueueScheduler(qos: .default) },
        { ConcurrentDispatchQueueScheduler(qos: .default) },
        { MainScheduler() },
        { ConcurrentMainScheduler.instance },
    ]

    private func after(
        _ scheduler: any SchedulerType, _ delay: RxTimeInterval, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        scheduler.scheduleRelative((), dueTime: delay) {
            action()
            return Disposables.create()
        }
    }

    @Test(arguments: schedulers) func timerFiresIfItsDisposableIsReleased(make: @Sendable () -> any SchedulerType)
        async throws
    {
        let ran = Cell(0)
        _ = after(make(), .milliseconds(5)) { ran.update { $0 += 1 } }
        try await eventually("the timer fired") { ran.value == 1 }
    }

    @Test func timersFireInOrderOfDueTime() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let log = Cell<[Int]>([])
        // Armed within one action, so that none can fire before the last is armed; far enough apart that the time this
        // takes does not matter.
        _ = scheduler.schedule(()) {
            for number in [3, 1, 4, 0, 2] { _ = after(scheduler, .milliseconds(20 * number)) { log.append(number) } }
            return Disposables.create()
        }
        try await eventually("all timers fired") { log.value.count == 5 }
        #expect(log.value == Array(0..<5))
    }

    @Test(arguments: [0, -5]) func overdueTimersFireInOrder(delay: Int) async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let log = Cell<[Int]>([])
        _ = scheduler.schedule(()) {
            for number in 0..<1000 { _ = after(scheduler, .seconds(delay)) { log.append(number) } }
            return Disposables.create()
        }
        try await eventually("all timers fired") { log.value.count == 1000 }
        #expect(log.value == Array(0..<1000))
    }

    @Test func firingTimerMayCancelTimerDueAtSameTime() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let log = Cell<[String]>([])
        _ = scheduler.schedule(()) {
            let group = CompositeDisposable()
            _ = after(scheduler, .nanoseconds(0)) {
                log.append("first")
                group.dispose()
            }
            for _ in 0..<10 { _ = group.insert(after(scheduler, .nanoseconds(0)) { log.append("cancelled") }) }
            _ = after(scheduler, .milliseconds(1)) { log.append("last") }
            return Disposables.create()
        }
        try await eventually("the last timer fired") { log.value.contains("last") }
        #expect(log.value == ["first", "last"])
    }

    @Test func actionThatIsNeverDueHasNoTimer() {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        _ = after(scheduler, .never) {}
        _ = scheduler.schedulePeriodic((), startAfter: .never, period: .seconds(1)) {}
    }

    @Test func timerWithoutPeriodTicksOnce() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let count = Cell(0)
        _ = scheduler.schedulePeriodic((), startAfter: .nanoseconds(0), period: .never) { count.update { $0 += 1 } }
        try await eventually("the timer fired") { count.value == 1 }
    }

    @Test(arguments: [Int.max, Int.max / 1_000_000_000]) func longDelayIsNotShortened(seconds: Int) async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let log = Cell<[Int]>([])
        let long = after(scheduler, .seconds(seconds)) { log.append(1) }
        let periodic = scheduler.schedulePeriodic((), startAfter: .nanoseconds(0), period: .seconds(seconds)) {
            log.append(2)
        }
        _ = after(scheduler, .milliseconds(5)) { log.append(3) }
        try await eventually("the short one fired") { log.value.contains(3) }
        #expect(log.value == [2, 3])
        long.dispose()
        periodic.dispose()
    }

    private final class TrackedObject: Sendable {}

    @Test(arguments: [true, false]) func cancelledActionIsReleasedAtOnce(isPeriodic: Bool) {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        weak var held: TrackedObject?
        let handle: any Disposable
        do {
            let object = TrackedObject()
            held = object
            handle =
                isPeriodic
                ? scheduler.schedulePeriodic(object, startAfter: .seconds(100), period: .seconds(1)) { $0 }
                : scheduler.scheduleRelative(object, dueTime: .seconds(100)) { _ in Disposables.create() }
        }
        #expect(held != nil)
        handle.dispose()
        #expect(held == nil)
    }

    @Test func periodicActionThatDisposesItselfIsReleased() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let timer = SingleAssignmentDisposable()
        let count = Cell(0)
        weak var held: TrackedObject?
        do {
            let object = TrackedObject()
            held = object
            let periodic = scheduler.schedulePeriodic(object, startAfter: .milliseconds(1), period: .milliseconds(1)) {
                count.update { $0 += 1 }
                timer.dispose()
                return $0
            }
            timer.setDisposable(periodic)
        }
        try await eventually("the object is released") { held == nil }
        #expect(count.value == 1)
    }

    @Test func busyQueueMergesTicks() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let period = Duration.milliseconds(4)
        let log = Cell<[Duration]>([])
        let start = scheduler.elapsed
        let timer = scheduler.schedulePeriodic((), startAfter: .milliseconds(4), period: .milliseconds(4)) {
            let now = scheduler.elapsed
            // The first run, which is due after one period at the earliest, takes three and a half periods.
            if log.value.isEmpty { while scheduler.elapsed - now < .milliseconds(14) {} }
            log.append(scheduler.elapsed - start)
        }
        try await eventually("three ticks") { log.value.count >= 3 }
        timer.dispose()
        // The second makes up for the three that were missed; the third is due after one period and four more.
        #expect(log.value[2] >= period * 5)
    }

    @Test func periodDoesNotDrift() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        // Every run takes half a period: with drift, ten periods would take fourteen and a half. On a busy machine any
        // single attempt may be late, but drift makes all of them late.
        try await eventually("ten periods take ten periods", within: .seconds(30)) {
            let ticks = Atomic(0)
            let start = scheduler.elapsed
            let end = Cell<Duration?>(nil)
            let timer = scheduler.schedulePeriodic((), startAfter: .milliseconds(40), period: .milliseconds(40)) {
                let now = scheduler.elapsed
                if ticks.add(1, ordering: .relaxed).newValue == 10 { end.update { $0 = now - start } }
                while scheduler.elapsed - now < .milliseconds(20) {}
            }
            while end.value == nil {}
            timer.dispose()
            return end.value.map { $0 >= .milliseconds(400) && $0 < .milliseconds(490) } ?? false
        }
    }

    @Test func blockedActionDelaysNoOtherOnConcurrentQueue() async throws {
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
        let release = DispatchSemaphore(value: 0)
        let log = Cell<[Int]>([])
        _ = after(scheduler, .milliseconds(1)) {
            release.wait()
            log.append(1)
        }
        _ = after(scheduler, .milliseconds(2)) {
            log.append(2)
            release.signal()
        }
        try await eventually("both actions ran") { log.value.count == 2 }
        #expect(log.value == [2, 1])
    }

    @Test func periodicActionNeverOverlapsItself() async throws {
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
        let state = Cell((running: 0, most: 0, ran: 0))
        let timer = scheduler.schedulePeriodic((), startAfter: .nanoseconds(0), period: .nanoseconds(0)) {
            state.update {
                $0.running += 1
                $0.most = max($0.most, $0.running)
            }
            state.update {
                $0.running -= 1
                $0.ran += 1
            }
        }
        try await eventually("many ticks") { state.value.ran > 500 }
        timer.dispose()
        #expect(state.value.most == 1)
    }

    @Test func manyTimersAreArmedAndCancelled() {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let timers = (0..<20_000).map { number in after(scheduler, .seconds(100 + number * 7919 % 1000)) {} }
        #if TRACE_RESOURCES
        #expect(Resources.count(of: .timer) == 20_000)
        #endif
        for timer in timers { timer.dispose() }
        #if TRACE_RESOURCES
        #expect(Resources.count(of: .timer) == 0)
        #endif
    }

    @Test(arguments: schedulers) func disposeMayRaceWithFiring(make: @Sendable () -> any SchedulerType) async throws {
        let scheduler = make()
        let ran = Atomic(0)
        let freed = Atomic(0)
        let early = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for round in 0..<500 {
                let disposed = Cell(false)
                let timer = scheduler.scheduleRelative((), dueTime: .microseconds((round + thread) % 40)) {
                    if disposed.value { early.add(1, ordering: .relaxed) }
                    ran.add(1, ordering: .relaxed)
                    return Disposables.create { freed.add(1, ordering: .relaxed) }
                }
                let periodic = scheduler.schedulePeriodic(
                    0, startAfter: .microseconds(round % 20), period: .microseconds(1)
                ) { $0 + 1 }
                let end = scheduler.elapsed + .microseconds(round % 60)
                while scheduler.elapsed < end {}
                timer.dispose()
                periodic.dispose()
            }
        }
        // An action that was running when it was disposed is released when it returns.
        try await eventually("all actions that ran were released") {
            ran.load(ordering: .sequentiallyConsistent) == freed.load(ordering: .sequentiallyConsistent)
        }
        #expect(early.load(ordering: .relaxed) == 0)
    }

    @Test func nothingFiresAfterDisposeOnSameQueue() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let late = Atomic(0)
        let rounds = Atomic(0)
        for _ in 0..<500 {
            _ = scheduler.schedule(()) {
                let disposed = Cell(false)
                let timers = [
                    after(scheduler, .microseconds(20)) { if disposed.value { late.add(1, ordering: .relaxed) } },
                    scheduler.schedulePeriodic((), startAfter: .microseconds(20), period: .microseconds(5)) {
                        if disposed.value { late.add(1, ordering: .relaxed) }
                    },
                ]
                return scheduler.schedule(()) {
                    for timer in timers { timer.dispose() }
                    disposed.update { $0 = true }
                    rounds.add(1, ordering: .relaxed)
                    return Disposables.create()
                }
            }
        }
        try await eventually("all rounds ran") { rounds.load(ordering: .relaxed) == 500 }
        #expect(late.load(ordering: .relaxed) == 0)
    }
}
