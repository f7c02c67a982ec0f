import Dispatch
import RxEngine
import RxEngineTest
import Synchronization
import TestSupport
import Testing

/// A scheduler that runs every action at once, on the caller's stack.
private struct SynchronousScheduler: SchedulerType {
    var now: RxTime { RxTime() }

    func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        action(state)
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        action(state)
    }
}

@Suite(.balanced) struct ScheduleRecursiveTests {
    @Test func stepsRunInOrder() {
        let log = Cell<[[Int]]>([])
        let scheduler = TestScheduler(initialClock: 0)
        _ = scheduler.scheduleRecursive(3) { left, recurse in
            log.append([scheduler.clock, left])
            if left > 1 { recurse(left - 1) }
        }
        scheduler.start()
        #expect(log.value == [[1, 3], [2, 2], [3, 1]])
    }

    @Test func stepsRunAfterTheirDelays() {
        let log = Cell<[[Int]]>([])
        let scheduler = TestScheduler(initialClock: 0)
        _ = scheduler.scheduleRecursive(1, dueTime: .seconds(5)) { step, recurse in
            log.append([scheduler.clock, step])
            if step < 4 { recurse(step + 1, .seconds(step * 10)) }
        }
        scheduler.start()
        #expect(log.value == [[5, 1], [15, 2], [35, 3], [65, 4]])
    }

    @Test func stepMayScheduleSeveralSteps() {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 0)
        _ = scheduler.scheduleRecursive(1) { node, recurse in
            log.append(node)
            guard node < 4 else { return }
            recurse(2 * node)
            recurse(2 * node + 1)
        }
        scheduler.start()
        #expect(log.value == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test func disposeStopsBeforeNextStep() {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 0)
        let handle = scheduler.scheduleRecursive(0) { step, recurse in
            log.append(step)
            recurse(step + 1)
        }
        scheduler.scheduleAt(5) { handle.dispose() }
        scheduler.start()
        #expect(log.value == [0, 1, 2, 3])
    }

    @Test func disposingInsideStepStopsRecursion() {
        let log = Cell<[Int]>([])
        let handle = SingleAssignmentDisposable()
        let scheduler = TestScheduler(initialClock: 0)
        handle.setDisposable(
            scheduler.scheduleRecursive(0) { step, recurse in
                log.append(step)
                if step == 2 { handle.dispose() }
                recurse(step + 1)
            })
        scheduler.start()
        #expect(log.value == [0, 1, 2])
    }

    private final class TrackedObject: Sendable {}

    @Test func disposedRecursionIsReleasedAtOnce() {
        let scheduler = TestScheduler(initialClock: 0)
        weak var held: TrackedObject?
        let handle: any Disposable
        do {
            let object = TrackedObject()
            held = object
            handle = scheduler.scheduleRecursive(0) { _, _ in withExtendedLifetime(object) {} }
        }
        #expect(held != nil)
        handle.dispose()
        #expect(held == nil)
    }

    static let schedulers: [@Sendable () -> any ImmediateSchedulerType] = [
        { SynchronousScheduler() },
        { CurrentThreadScheduler.instance },
        { TestScheduler(initialClock: 0) },
    ]

    @Test(arguments: schedulers) func recursionGrowsNeitherStackNorMemory(
        make: @Sendable () -> any ImmediateSchedulerType
    ) {
        let scheduler = make()
        let count = Atomic(0)
        #if TRACE_RESOURCES
        let most = Atomic(0)
        let before = Resources.count(of: .disposable)
        #endif
        _ = scheduler.scheduleRecursive(100_000) { left, recurse in
            count.add(1, ordering: .relaxed)
            #if TRACE_RESOURCES
            most.max(Resources.count(of: .disposable) - before, ordering: .relaxed)
            #endif
            if left > 1 { recurse(left - 1) }
        }
        (scheduler as? TestScheduler)?.start()
        #expect(count.load(ordering: .relaxed) == 100_000)
        #if TRACE_RESOURCES
        #expect(most.load(ordering: .relaxed) < 10)
        #endif
    }

    @Test func stepsWithDelayDoNotGrowStack() {
        let count = Atomic(0)
        _ = SynchronousScheduler().scheduleRecursive(100_000, dueTime: .seconds(1)) { left, recurse in
            count.add(1, ordering: .relaxed)
            if left > 1 { recurse(left - 1, .seconds(1)) }
        }
        #expect(count.load(ordering: .relaxed) == 100_000)
    }

    @Test func stepEndsBeforeNextBeginsOnSynchronousScheduler() {
        let log = Cell<[String]>([])
        _ = SynchronousScheduler().scheduleRecursive(0) { step, recurse in
            log.append("\(step) begins")
            if step < 2 { recurse(step + 1) }
            log.append("\(step) ends")
        }
        #expect(log.value == (0...2).flatMap { ["\($0) begins", "\($0) ends"] })
    }

    /// Steps branch on a concurrent queue and are disposed while they run.
    @Test func disposeMayRaceWithSteps() async throws {
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
        for round in 0..<50 {
            let running = Atomic(0)
            let handle = scheduler.scheduleRecursive(0) { depth, recurse in
                running.add(1, ordering: .relaxed)
                if depth < 6 { for _ in 0..<3 { recurse(depth + 1) } }
                running.subtract(1, ordering: .relaxed)
            }
            let end = scheduler.elapsed + .microseconds(round * 10)
            while scheduler.elapsed < end {}
            handle.dispose()
            try await eventually("no step runs") { running.load(ordering: .relaxed) == 0 }
        }
    }

    @Test func stepsRunOnQueue() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let log = Cell<[Int]>([])
        _ = scheduler.scheduleRecursive(0) { step, recurse in
            log.append(step)
            if step < 99 { recurse(step + 1) }
        }
        try await eventually("all steps ran") { log.value.count == 100 }
        #expect(log.value == Array(0..<100))
    }
}
