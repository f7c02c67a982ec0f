import Dispatch
import Glibc
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct SchedulerExecutorTests {
    @Test func actorRunsOnQueueOfScheduler() async throws {
        let key = DispatchSpecificKey<Bool>()
        let scheduler = SerialDispatchQueueScheduler(
            internalSerialQueueName: "actor", serialQueueConfiguration: { $0.setSpecific(key: key, value: true) })
        let counter = Counter(on: scheduler)
        #expect(await counter.value { DispatchQueue.getSpecific(key: key) == true })
    }

    @Test func actionsOfSerialSchedulerAreIsolatedToActor() async throws {
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "actor")
        let counter = Counter(on: scheduler)
        let subscription = Observable<Int>.interval(.microseconds(50), scheduler: scheduler).subscribe(onNext: { _ in
            counter.assumeIsolated { $0.increment() }
        })
        for _ in 0..<1000 { await counter.increment() }
        while await counter.count < 1010 { await Task.yield() }
        subscription.dispose()
    }

    private static let schedulers: [@Sendable () -> any SchedulerType] = [
        { SerialDispatchQueueScheduler(qos: .default) },
        { ConcurrentDispatchQueueScheduler(qos: .default) },
        { ConcurrentMainScheduler.instance },
        { MainScheduler.instance },
        { ExecutorScheduler(taskExecutor: globalConcurrentExecutor) },
        { ClockScheduler(ContinuousClock()) },
    ]

    @Test(arguments: schedulers.indices) func actorIsSerialOnAnyScheduler(_ index: Int) async throws {
        let counter = Counter(on: Self.schedulers[index]())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<100 { await counter.increment() } }
            }
        }
        #expect(await counter.count == 800)
        #expect(await counter.most == 1)
    }

    @Test(arguments: schedulers.indices) func tasksRunOnScheduler(_ index: Int) async throws {
        let executor = Self.schedulers[index]().asExecutor()
        let tasks = (0..<20).map { number in
            Task(executorPreference: executor) {
                for _ in 0..<10 { await Task.yield() }
                return number
            }
        }
        var results: [Int] = []
        for task in tasks { results.append(await task.value) }
        #expect(results == Array(0..<20))
    }

    @MainActor @Test func jobOnMainSchedulerDoesNotRunInsideCallThatEnqueuesIt() async throws {
        let isRun = Cell(false)
        let task = Task(executorPreference: MainScheduler.instance.asExecutor()) { isRun.update { $0 = true } }
        #expect(!isRun.value)
        await task.value
        #expect(isRun.value)
    }

    @Test func tasksRunInVirtualTime() {
        let scheduler = TestScheduler(initialClock: 0)
        let executor = scheduler.asExecutor()
        let clock = scheduler.asClock()
        let log = Cell<[String]>([])
        for (name, pause) in [("a", 3), ("b", 2)] {
            Task(executorPreference: executor) {
                for round in 1...3 {
                    try await clock.sleep(for: .seconds(pause))
                    log.append("\(name)\(round) at \(scheduler.clock)")
                }
            }
        }
        scheduler.advanceTo(4)
        #expect(log.value == ["b1 at 2", "a1 at 3", "b2 at 4"])
        scheduler.start()
        #expect(log.value.dropFirst(3) == ["a2 at 6", "b3 at 6", "a3 at 9"])
    }

    @Test func actorRunsInVirtualTime() {
        let scheduler = TestScheduler(initialClock: 0)
        let counter = Counter(on: scheduler)
        let log = Cell<[Int]>([])
        // On the same executor, so that no other thread takes part.
        Task(executorPreference: counter.executor) {
            await counter.increment()
            try await scheduler.asClock().sleep(for: .seconds(10))
            await counter.increment()
            log.append(await counter.count)
            log.append(scheduler.clock)
        }
        // An action on the scheduler's thread is isolated to the actor.
        scheduler.scheduleAt(5) { log.append(counter.assumeIsolated { $0.count }) }
        #expect(log.value == [])
        scheduler.start()
        #expect(log.value == [1, 2, 10])
    }

    @Test func jobsRunAfterDueActionsAtSameVirtualTime() {
        let scheduler = TestScheduler(initialClock: 0)
        let executor = scheduler.asExecutor()
        let log = Cell<[String]>([])
        scheduler.scheduleAt(10) {
            Task(executorPreference: executor) {
                log.append("task at \(scheduler.clock)")
                for _ in 0..<5 { await Task.yield() }
                log.append("yielded at \(scheduler.clock)")
            }
        }
        scheduler.scheduleAt(10) { log.append("action at \(scheduler.clock)") }
        scheduler.scheduleAt(11) { log.append("action at \(scheduler.clock)") }
        scheduler.start()
        #expect(log.value == ["action at 10", "task at 10", "yielded at 10", "action at 11"])
    }

    @Test func jobOfAnotherThreadRunsWhenClockIsMoved() {
        let scheduler = TestScheduler(initialClock: 0)
        let executor = scheduler.asExecutor()
        let isRun = Cell(false)
        let isEnqueued = Cell(false)
        Thread {
            Task(executorPreference: executor) { isRun.update { $0 = true } }
            isEnqueued.update { $0 = true }
        }.join()
        #expect(isEnqueued.value && !isRun.value)
        scheduler.start()
        #expect(isRun.value)
    }

    @Test func valuesAreIteratedInVirtualTime() {
        let scheduler = TestScheduler(initialClock: 0)
        let log = Cell<[String]>([])
        Task(executorPreference: scheduler.asExecutor()) {
            let ticks = Observable<Int>.interval(.seconds(10), scheduler: scheduler).take(3)
            for try await tick in ticks.values { log.append("\(tick) at \(scheduler.clock)") }
            log.append("over at \(scheduler.clock)")
        }
        scheduler.start()
        #expect(log.value == ["0 at 10", "1 at 20", "2 at 30", "over at 30"])
    }
}

/// An actor on a scheduler.
private actor Counter {
    let executor: SchedulerExecutor
    private(set) var count = 0
    private(set) var most = 0
    private let running = Cell(0)

    init(on scheduler: any SchedulerType) {
        executor = scheduler.asExecutor()
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func increment() {
        running.update { $0 += 1 }
        // Another thread would have the time to enter.
        for _ in 0..<20 { sched_yield() }
        most = max(most, running.value)
        count += 1
        running.update { $0 -= 1 }
    }

    func value<Value: Sendable>(_ body: @Sendable () -> Value) -> Value {
        body()
    }
}
