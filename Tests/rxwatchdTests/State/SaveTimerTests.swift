import Dispatch
import RxEngine
import RxEngineTest
import Synchronization
import TestSupport
import Testing

@testable import rxwatchd

@Suite(.balanced) struct SaveTimerTests {
    /// Each row: the scheduled urgencies with their spans in seconds, and the time of the save.
    @Test(arguments: [
        ([(SaveTimer.Urgency.fiveSeconds, 5)], 5), ([(.fiveSeconds, 5), (.oneSecond, 1)], 1),
        ([(.oneSecond, 1), (.fiveSeconds, 5)], 1), ([(.oneSecond, 3), (.oneSecond, 1)], 3),
        ([(.oneSecond, 1), (.now, 0)], 0),
    ])
    func mostUrgentSaveIsScheduled(calls: [(SaveTimer.Urgency, Int)], time: Int) {
        let scheduler = TestScheduler(initialClock: 0, resolution: 1, simulateProcessingDelay: false)
        let times = Cell<[Int]>([])
        let timer = SaveTimer(on: scheduler)
        for (urgency, seconds) in calls {
            timer.schedule(urgency, after: .seconds(seconds)) { times.append(scheduler.clock) }
        }
        scheduler.start()
        #expect(times.value == [time])
        #expect(timer.begin())
        timer.stop()
        #expect(!timer.begin() && !timer.begin())
        timer.schedule(.now, after: .zero) { times.append(-1) }
        scheduler.start()
        #expect(times.value == [time])
    }

    /// Whichever of two threads arms its timer last.
    @Test func moreUrgentSaveOfAnotherThreadIsNotReplaced() {
        for _ in 0..<2_000 {
            let scheduler = PendingSchedules()
            let timer = SaveTimer(on: scheduler)
            let ready = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                ready.add(1, ordering: .acquiringAndReleasing)
                while ready.load(ordering: .acquiring) < 2 {}
                timer.schedule(
                    index == 0 ? .fiveSeconds : .oneSecond, after: .seconds(index == 0 ? 5 : 1)
                ) {}
            }
            #expect(scheduler.spans == [.seconds(1)])
            timer.stop()
        }
    }
}

/// A scheduler that fires nothing, and the spans of what was scheduled and not disposed.
private final class PendingSchedules: SchedulerType {
    private let pending = Locked<[Int: RxTimeInterval]>([:])
    private let last = Atomic(0)

    var now: RxTime { RxTime() }

    var spans: [RxTimeInterval] { pending.withLock { Array($0.values) } }

    func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        Disposables.create()
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let number = last.add(1, ordering: .relaxed).newValue
        pending.withLock { $0[number] = dueTime }
        return Disposables.create { [pending] in pending.withLock { $0[number] = nil } }
    }
}
