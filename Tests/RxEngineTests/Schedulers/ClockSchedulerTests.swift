import Dispatch
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ClockSchedulerTests {
    @Test func actionsRunInOrderOfDeadlines() async throws {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        let log = Cell<[String]>([])
        for (name, delay) in [("c", 20), ("a", 10), ("d", 20), ("b", 10), ("e", 30), ("z", -5)] {
            _ = scheduler.scheduleRelative(name, dueTime: .seconds(delay)) {
                log.append($0)
                return Disposables.create()
            }
        }
        try await eventually("the first has run, and the task sleeps until the next deadline") {
            log.value == ["z"] && clock.deadlines == [.seconds(10)]
        }
        clock.advance(by: .seconds(25))
        try await eventually("four have run") { log.value.count == 5 }
        clock.advance(by: .seconds(5))
        try await eventually("all have run") { log.value.count == 6 }
        #expect(log.value == ["z", "a", "b", "c", "d", "e"])
        #expect(clock.deadlines == [])
    }

    @Test func earlierDeadlineReplacesSleep() async throws {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        let log = Cell<[Int]>([])
        let note: @Sendable (Int) -> any Disposable = {
            log.append($0)
            return Disposables.create()
        }
        let last = scheduler.scheduleRelative(10, dueTime: .seconds(10), action: note)
        try await eventually("it sleeps") { clock.deadlines == [.seconds(10)] }
        _ = scheduler.scheduleRelative(1, dueTime: .seconds(1), action: note)
        try await eventually("it sleeps until the earlier deadline only") { clock.deadlines == [.seconds(1)] }
        clock.advance(by: .seconds(1))
        try await eventually("the first has run, and it sleeps again") {
            log.value == [1] && clock.deadlines == [.seconds(10)]
        }
        last.dispose()
        try await eventually("no timer is left, and it does not sleep") { clock.deadlines == [] }
        clock.advance(by: .seconds(20))
        #expect(log.value == [1])
        _ = scheduler.scheduleRelative(2, dueTime: .never, action: note)
        #expect(clock.deadlines == [])
    }

    @Test func missedTicksAreMergedAndDelayNoneAfterThem() async throws {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        let log = Cell<[String]>([])
        let timer = scheduler.schedulePeriodic(0, startAfter: .seconds(5), period: .seconds(10)) { count in
            log.append("\(count) at \(clock.now.elapsed / .seconds(1))")
            return count + 1
        }
        for (ticks, (step, next)) in [(0, 5), (6, 15), (34, 45), (5, 55)].enumerated() {
            clock.advance(by: .seconds(step))
            try await eventually("it has run, and sleeps until \(next): \(log.value), \(clock.deadlines)") {
                log.value.count == ticks && clock.deadlines == [.seconds(next)]
            }
        }
        timer.dispose()
        try await eventually("it does not sleep") { clock.deadlines == [] }
        #expect(log.value == ["0 at 6.0", "1 at 40.0", "2 at 45.0"])
    }

    @Test func ticksThatFallDueWhileTargetIsBusyAreMergedAndKeepTheirPlace() async throws {
        let clock = ManualClock()
        let executor = HeldExecutor()
        let target = ExecutorScheduler(taskExecutor: executor)
        let scheduler = ClockScheduler(clock, target: target)
        let log = Cell<[String]>([])
        let timer = scheduler.schedulePeriodic((), startAfter: .seconds(1), period: .seconds(1)) { log.append("tick") }
        for second in 1...5 {
            clock.advance(by: .seconds(1))
            try await eventually("the tick is due") { clock.deadlines == [.seconds(second + 1)] }
            _ = target.schedule(second) {
                log.append("\($0)")
                return Disposables.create()
            }
        }
        executor.release()
        try await eventually("all have run") { log.value.last == "5" }
        #expect(log.value == ["tick", "1", "2", "3", "4", "5"])
        timer.dispose()
    }

    @Test func operatorsFollowClock() async throws {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        let subject = PublishSubject<Int>()
        let log = Cell<[String]>([])
        let subscriptions = Disposables.create([
            subject.debounce(.seconds(2), scheduler: scheduler).subscribe(onNext: { log.append("debounce \($0)") }),
            subject.timeout(.seconds(5), scheduler: scheduler).subscribe(onError: { log.append("\($0)") }),
            Observable<Int>.interval(.seconds(4), scheduler: scheduler).subscribe(onNext: { log.append("tick \($0)") }),
        ])
        subject.onNext(1)
        try await eventually("it sleeps") { clock.deadlines == [.seconds(2)] }
        clock.advance(by: .seconds(2))
        try await eventually("debounce has emitted") { log.value == ["debounce 1"] }
        try await eventually("it sleeps again") { clock.deadlines == [.seconds(4)] }
        clock.advance(by: .seconds(2))
        try await eventually("interval has emitted") { log.value.last == "tick 0" }
        try await eventually("it sleeps again") { clock.deadlines == [.seconds(5)] }
        clock.advance(by: .seconds(1))
        try await eventually("timeout has failed") { log.value.count == 3 }
        subscriptions.dispose()
        try await eventually("it does not sleep") { clock.deadlines == [] }
        #expect(scheduler.elapsed == .seconds(5))
    }

    @Test func actionsRunOnTarget() async throws {
        let clock = ManualClock()
        let executor = QueueExecutor()
        let scheduler = ClockScheduler(clock, target: ExecutorScheduler(executor))
        let found = Cell<[Bool]>([])
        _ = scheduler.schedule(()) {
            found.append(executor.isCurrent)
            return Disposables.create()
        }
        _ = scheduler.scheduleRelative((), dueTime: .seconds(1)) {
            found.append(executor.isCurrent)
            return Disposables.create()
        }
        clock.advance(by: .seconds(1))
        try await eventually("both have run") { found.value == [true, true] }
    }

    @Test func actionsOfSystemClocksAreNotEarly() async throws {
        for scheduler: any SchedulerType in [ClockScheduler(ContinuousClock()), ClockScheduler(SuspendingClock())] {
            #expect(abs(scheduler.now.timeIntervalSinceNow) < 10)
            let start = scheduler.elapsed
            let ran = Cell<Duration?>(nil)
            _ = scheduler.scheduleRelative((), dueTime: .milliseconds(5)) {
                ran.update { $0 = scheduler.elapsed }
                return Disposables.create()
            }
            try await eventually("the action ran") { ran.value != nil }
            #expect(try #require(ran.value) - start >= .milliseconds(5))
        }
    }

    /// The clock of a scheduler rounds to its units: a sleep may end before the deadline that was asked for.
    @Test func deadlineBetweenUnitsOfClockFires() async throws {
        let hasRun = Cell(false)
        let isStopped = Cell(false)
        // The thread of the virtual time.
        let thread = Thread {
            let time = TestScheduler(initialClock: 0)
            _ = ClockScheduler(time.asClock()).scheduleRelative((), dueTime: .milliseconds(1400)) {
                hasRun.update { $0 = true }
                return Disposables.create()
            }
            while !hasRun.value, !isStopped.value { time.start() }
        }
        try await eventually("the action ran") { hasRun.value }
        isStopped.update { $0 = true }
        thread.join()
    }

    @Test func threadsArmAndDisposeAtTheSameTime() async throws {
        let scheduler = ClockScheduler(ContinuousClock())
        let ran = Cell(0)
        inParallel(4) { number in
            for round in 0..<300 {
                let item = scheduler.scheduleRelative((), dueTime: .microseconds((round * 37 + number) % 500)) {
                    ran.update { $0 += 1 }
                    return Disposables.create()
                }
                if round % 3 == 0 { item.dispose() }
            }
        }
        let isOver = Cell(false)
        _ = scheduler.scheduleRelative((), dueTime: .milliseconds(1)) {
            isOver.update { $0 = true }
            return Disposables.create()
        }
        try await eventually("all have run") { isOver.value }
        #expect((800...1200).contains(ran.value))
    }
}

/// An executor that runs nothing until it is released.
private final class HeldExecutor: TaskExecutor {
    private let held = Cell<[UnownedJob]?>([])
    private let queue = DispatchQueue(label: "held")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isHeld = Cell(false)
        held.update { jobs in
            jobs?.append(job)
            let now = jobs != nil
            isHeld.update { $0 = now }
        }
        if !isHeld.value { run(job) }
    }

    func release() {
        let jobs = held.value ?? []
        held.update { $0 = nil }
        jobs.forEach(run)
    }

    private func run(_ job: UnownedJob) {
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A clock that a test moves.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        let elapsed: Duration

        func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
        func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
        static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.elapsed < rhs.elapsed }
    }

    private struct Sleeper {
        let deadline: Duration
        let continuation: AsyncStream<Void>.Continuation
    }

    private struct State {
        var elapsed = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var last = 0
    }

    private let state = Cell(State())

    var now: Instant { Instant(elapsed: state.value.elapsed) }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// The deadlines of the tasks that sleep, in order.
    var deadlines: [Duration] { state.value.sleepers.values.map(\.deadline).sorted() }

    func advance(by duration: Duration) {
        state.update { state in
            state.elapsed += duration
            for (number, sleeper) in state.sleepers where sleeper.deadline <= state.elapsed {
                sleeper.continuation.finish()
                state.sleepers[number] = nil
            }
        }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let key = Cell(0)
        state.update { state in
            if deadline.elapsed <= state.elapsed { return continuation.finish() }
            state.last += 1
            let number = state.last
            key.update { $0 = number }
            state.sleepers[number] = Sleeper(deadline: deadline.elapsed, continuation: continuation)
        }
        for await _ in stream {}
        let number = key.value
        state.update { $0.sleepers[number] = nil }
        try Task.checkCancellation()
    }
}
