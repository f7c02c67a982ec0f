import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxPipelines

/// Pauses between attempts that an operator ends.
@Suite(.balanced) struct ShortenedPausesTests {
    private let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)

    private func attempts(_ body: (ShortenedPauses, Cell<[Int]>) -> Void) -> [Int] {
        let (pauses, times) = (ShortenedPauses(of: scheduler), Cell<[Int]>([]))
        let failing = Observable<Int>.deferred { [scheduler] in
            times.append(scheduler.clock)
            return .error(TestError("no"))
        }
        let subscription = failing.retry(
            .exponential(from: .seconds(100), upTo: .seconds(100), times: 3, jitter: 0), scheduler: pauses
        ).subscribe()
        body(pauses, times)
        subscription.dispose()
        return times.value
    }

    @Test func attemptIsMadeAtOnce() {
        let times = attempts { pauses, _ in
            scheduler.advanceTo(10)
            pauses.end()
            scheduler.advanceTo(20)
            // It runs once, and the next pause begins with it.
            scheduler.advanceTo(109)
            pauses.end()
            scheduler.advanceTo(1000)
            pauses.end()
            scheduler.advanceTo(2000)
        }
        #expect(times == [0, 10, 109, 209])
    }

    @Test func nothingIsRepeatedAfterDispose() {
        let times = attempts { pauses, _ in
            scheduler.advanceTo(50)
        }
        #expect(times == [0])
        let pauses = ShortenedPauses(of: scheduler)
        let runs = Cell(0)
        let action = pauses.scheduleRelative((), dueTime: .seconds(10)) {
            runs.update { $0 += 1 }
            return Disposables.create()
        }
        action.dispose()
        pauses.end()
        scheduler.start()
        #expect(runs.value == 0)
    }

    /// What the action returns is disposed with it.
    @Test(arguments: [true, false]) func resultIsDisposed(isEnded: Bool) {
        let pauses = ShortenedPauses(of: scheduler)
        let disposed = Cell(0)
        let action = pauses.scheduleRelative((), dueTime: .seconds(10)) {
            Disposables.create { disposed.update { $0 += 1 } }
        }
        if isEnded { pauses.end() }
        scheduler.advanceTo(20)
        #expect(disposed.value == 0)
        action.dispose()
        #expect(disposed.value == 1)
    }
}
