import RxEngineTest
import TestSupport
import Testing

@testable import RxEngine

@Suite(.balanced) struct SchedulerClockTests {
    @Test func sleepEndsAtItsTime() {
        let scheduler = TestScheduler(initialClock: 100)
        let clock = scheduler.asClock()
        let times = Cell<[Int]>([])
        Task(executorPreference: scheduler.asExecutor()) {
            let start = clock.now
            try await clock.sleep(for: .seconds(5))
            times.append(scheduler.clock)
            try await clock.sleep(until: start.advanced(by: .seconds(7)))
            times.append(scheduler.clock)
            // Over already.
            try await clock.sleep(until: start)
            times.append(scheduler.clock)
            #expect(start.duration(to: clock.now) == .seconds(7) && start < clock.now)
        }
        scheduler.start()
        #expect(times.value == [105, 107, 107])
    }

    @Test func cancellingEndsSleepAndRemovesAction() {
        let scheduler = TestScheduler(initialClock: 0)
        let clock = scheduler.asClock()
        let log = Cell<[String]>([])
        let task = Task(executorPreference: scheduler.asExecutor()) {
            do {
                try await clock.sleep(for: .seconds(100))
            } catch {
                log.append("\(type(of: error)) at \(scheduler.clock)")
            }
            do {
                try await clock.sleep(for: .zero)
            } catch {
                log.append("\(type(of: error)) again")
            }
        }
        scheduler.scheduleAt(10) { task.cancel() }
        scheduler.start()
        #expect(log.value == ["CancellationError at 10", "CancellationError again"])
        #expect(scheduler.clock == 10)
        #expect(scheduler.debugDescription == "clock 10, 0 scheduled")
    }

    @Test func tasksOnOtherThreadsSleepInVirtualTime() async throws {
        let spans = Cell<[Duration]>([])
        try await advancing(until: { spans.value.count == 3 }) { clock in
            for span in 1...3 {
                Task.detached {
                    let start = clock.now
                    try await clock.sleep(for: .seconds(span))
                    spans.append(start.duration(to: clock.now))
                }
            }
        }
        for (span, least) in zip(spans.value.sorted(), 1...3) { #expect(span >= .seconds(least)) }
    }

    @Test func cancellingOnOtherThreadsDoesNotLoseSleeps() async throws {
        let ended = Cell(0)
        try await advancing(until: { ended.value == 200 }) { clock in
            for _ in 0..<200 {
                let task = Task.detached {
                    try? await clock.sleep(for: .seconds(1))
                    ended.update { $0 += 1 }
                }
                Task.detached { task.cancel() }
            }
        }
        #expect(ended.value == 200)
    }

    /// Moves the clock of a scheduler, on a thread of its own, until the tasks that `start` starts have done their work.
    private func advancing(
        until isOver: @escaping @Sendable () -> Bool, start: @escaping @Sendable (SchedulerClock) -> Void
    ) async throws {
        let isStopped = Cell(false)
        let thread = Thread {
            let scheduler = TestScheduler(initialClock: 0)
            start(scheduler.asClock())
            while !isOver(), !isStopped.value { scheduler.start() }
        }
        try await eventually("all tasks have ended") { isOver() }
        isStopped.update { $0 = true }
        thread.join()
    }

    @Test func sleepOnDispatchQueueIsNotShort() async throws {
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "clock")
        let clock = scheduler.asClock()
        let start = clock.now
        try await clock.sleep(for: .milliseconds(5))
        #expect(start.duration(to: clock.now) >= .milliseconds(5))
        #expect(clock.minimumResolution == .nanoseconds(1))
    }

    @Test func historicalTimeIsReadAsSchedulerHasIt() {
        let scheduler = HistoricalScheduler()
        let clock = scheduler.asClock()
        let start = clock.now
        #expect(start.elapsed == scheduler.elapsed)
        scheduler.sleep(2.5)
        #expect(start.duration(to: clock.now) == .milliseconds(2500))
    }

    /// A clock that moves between two readings does not delay the end of a sleep.
    @Test func sleepEndsAtItsDeadlineIfClockMovesMeanwhile() async throws {
        let scheduler = MovingScheduler()
        try await scheduler.asClock().sleep(until: SchedulerClock.Instant(elapsed: .seconds(100)))
        #expect(scheduler.deadlines.value == [.seconds(100)])
    }
}

/// A scheduler whose time is a second later whenever it is read, and that runs actions at once.
private final class MovingScheduler: ThreadBoundScheduler {
    let deadlines = Cell<[Duration?]>([])
    private let readings = Cell(0)

    var isOnThread: Bool { false }
    var now: RxTime { RxTime(timeIntervalSinceReferenceDate: 0) }

    var elapsedOnAnyThread: Duration {
        readings.update { $0 += 1 }
        return .seconds(readings.value)
    }

    func post(_ item: ScheduledItem, at deadline: Duration?) {
        deadlines.append(deadline)
        item.run()
    }

    func schedule<State>(_ state: State, action: @escaping @Sendable (State) -> any Disposable) -> any Disposable {
        action(state)
    }

    func scheduleRelative<State>(
        _ state: State, dueTime: RxTimeInterval, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        action(state)
    }
}
