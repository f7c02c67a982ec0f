import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxPipelines

/// Pauses between attempts that an operator ends.
@Suite(.balanced) struct RetrySchedulerTests {
    private let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)

    private func attempts(_ body: (RetryScheduler, Cell<[Int]>) -> Void) -> [Int] {
        let (retryScheduler, times) = (RetryScheduler(of: scheduler), Cell<[Int]>([]))
        let failing = Observable<Int>.deferred { [scheduler] in
            times.append(scheduler.clock)
            return .error(TestError("no"))
        }
        let subscription = failing.retry(
            .exponential(from: .seconds(100), upTo: .seconds(100), times: 3, jitter: 0), scheduler: retryScheduler
        ).subscribe()
        body(retryScheduler, times)
        subscription.dispose()
        return times.value
    }

    @Test func attemptIsMadeAtOnce() {
        let times = attempts { retryScheduler, _ in
            scheduler.advanceTo(10)
            retryScheduler.endPauses()
            scheduler.advanceTo(20)
            // It runs once, and the next pause begins with it.
            scheduler.advanceTo(109)
            retryScheduler.endPauses()
            scheduler.advanceTo(1000)
            retryScheduler.endPauses()
            scheduler.advanceTo(2000)
        }
        #expect(times == [0, 10, 109, 209])
    }

    @Test func pausesAreReported() {
        let pauses = Cell<[Double]>([])
        let retryScheduler = RetryScheduler(of: scheduler) { pause in pauses.update { $0.append(pause) } }
        retryScheduler.endPauses()
        let action = retryScheduler.scheduleRelative((), dueTime: .seconds(10)) { Disposables.create() }
        retryScheduler.endPauses()
        retryScheduler.endPauses()
        #expect(pauses.value == [10, 0])
        action.dispose()
        // A server has asked for a longer one.
        for seconds in [30, 5] {
            retryScheduler.earliest = scheduler.elapsed + .seconds(seconds)
            retryScheduler.scheduleRelative((), dueTime: .seconds(10)) { Disposables.create() }.dispose()
        }
        #expect(pauses.value == [10, 0, 30, 10])
    }

    @Test func nothingIsRepeatedAfterDispose() {
        let times = attempts { retryScheduler, _ in
            scheduler.advanceTo(50)
        }
        #expect(times == [0])
        let retryScheduler = RetryScheduler(of: scheduler)
        let runs = Cell(0)
        let action = retryScheduler.scheduleRelative((), dueTime: .seconds(10)) {
            runs.update { $0 += 1 }
            return Disposables.create()
        }
        action.dispose()
        retryScheduler.endPauses()
        scheduler.start()
        #expect(runs.value == 0)
    }

    /// What the action returns is disposed with it.
    @Test(arguments: [true, false]) func resultIsDisposed(isEnded: Bool) {
        let retryScheduler = RetryScheduler(of: scheduler)
        let disposed = Cell(0)
        let action = retryScheduler.scheduleRelative((), dueTime: .seconds(10)) {
            Disposables.create { disposed.update { $0 += 1 } }
        }
        if isEnded { retryScheduler.endPauses() }
        scheduler.advanceTo(20)
        #expect(disposed.value == 0)
        action.dispose()
        #expect(disposed.value == 1)
    }
}
