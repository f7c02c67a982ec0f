import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct UnimplementedSchedulerTests {
    @Test func callsAreReportedAtSchedulerCreation() {
        let line = #line + 1
        let scheduler = UnimplementedScheduler("the scheduler of the search")
        let advice = "of the scheduler of the search was called: pass a TestScheduler if the test is to schedule"
        let issues = recordedIssues {
            let probe = Observable.just(1).delay(.seconds(2), scheduler: scheduler).test()
            probe.expectNoValues()
            Observable<Int>.interval(.milliseconds(5), scheduler: scheduler).test().expectNoValues()
            Observable.just(1, scheduler: scheduler).test().expectNoValues()
            Observable.just(1).timestamp(scheduler: scheduler).test().expectValueCount(1)
        }
        #expect(Set(issues.map(\.line)) == [line])
        for call in [
            "scheduleRelative(dueTime: 2s)", "schedulePeriodic(startAfter: 5ms, period: 5ms)", "schedule()", "now",
        ] {
            #expect(issues.contains { $0.text == "\(call) \(advice)" }, "\(call): \(issues.map(\.text))")
        }
    }

    @Test func schedulerThatIsNotUsedRecordsNothing() {
        let scheduler = UnimplementedScheduler()
        _ = Observable.just(1).delay(.seconds(2), scheduler: scheduler)
    }
}
