import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import rxwatchd

@Suite(.balanced) struct ArmingTimeoutTests {
    private let scheduler = TestScheduler(initialClock: 0)
    private let progress = Cell(0)
    private let times = Cell<[Int]>([])

    private func timeout() -> ArmingTimeout {
        ArmingTimeout(on: scheduler) { [times, scheduler] in times.append(scheduler.clock) }
    }

    /// Progress at some moments: more time is requested at the next check.
    private func run(_ timeout: ArmingTimeout, progressAt moments: [Int], until end: Int) {
        for moment in moments {
            scheduler.scheduleAt(moment) { [progress] in progress.update { $0 += 1 } }
        }
        scheduler.advanceTo(end)
    }

    @Test func timeoutIsExtendedOnlyAfterProgress() {
        let timeout = timeout()
        timeout.begin { [progress] in progress.value }
        run(timeout, progressAt: [2, 3, 12, 31], until: 60)
        #expect(times.value == [5, 15, 35])
        timeout.end()
        run(timeout, progressAt: [61], until: 90)
        #expect(times.value == [5, 15, 35])
        scheduler.start()
    }

    /// A generation that another reload supersedes is not checked any more.
    @Test func onlyLastGenerationIsChecked() {
        let timeout = timeout()
        timeout.begin { [progress] in progress.value }
        timeout.begin { 7 }
        run(timeout, progressAt: [1, 6], until: 20)
        #expect(times.value == [])
        timeout.end()
        scheduler.start()
    }
}
