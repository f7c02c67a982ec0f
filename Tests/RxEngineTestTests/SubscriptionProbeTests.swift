import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct SubscriptionProbeTests {
    @Test func sequenceThatIsNotNeededIsNotSubscribedTo() {
        let backup = SubscriptionProbe(of: .just(2))
        Observable.just(1).ifEmpty(switchTo: backup.asObservable()).test().expectValues([1])
        backup.expectNotSubscribed().expectNotDisposed()
        Observable.empty().ifEmpty(switchTo: backup.asObservable()).test().expectValues([2]).expectCompletion()
        backup.expectSubscribed().expectNotDisposed()
        #expect(backup.subscriptionCount == 1 && backup.disposalCount == 0)
    }

    @Test func disposalBeforeTheEndIsCounted() {
        let probe = SubscriptionProbe<Int>()
        let subscription = probe.test()
        probe.expectSubscribed().expectNotDisposed()
        subscription.dispose()
        probe.expectDisposed()
        #expect(probe.subscriptionCount == 1 && probe.disposalCount == 1)
    }

    @Test func failureIsNoDisposal() {
        let probe = SubscriptionProbe<Int>(of: .error(TestError()))
        probe.test().expectError().dispose()
        probe.expectSubscribed().expectNotDisposed()
    }

    @Test func failedExpectationIsRecordedAtTheCall() {
        let probe = SubscriptionProbe<Int>()
        let line = #line + 2
        let issues = recordedIssues {
            probe.expectSubscribed()
            probe.expectDisposed()
            probe.test().dispose()
            probe.expectNotSubscribed()
            probe.expectNotDisposed()
        }
        #expect(
            issues.map(\.text) == [
                "expected a subscription, but there was none", "expected a subscription to be disposed, but none was",
                "expected no subscription, but there were 1", "expected no subscription to be disposed, but 1 were",
            ])
        #expect(issues.map(\.line) == [line, line + 1, line + 3, line + 4])
    }
}
