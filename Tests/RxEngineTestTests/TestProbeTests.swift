import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct TestProbeTests {
    @Test func expectationsThatHoldRecordNothing() {
        Observable.of(1, 2).test().expectValues([1, 2]).expectCompletion().expectValueCount(2).expectLastValue(2)
            .expectEvents([.next(1), .next(2), .completed]).expectValues { $0.count == 2 }
        Observable<Int>.error(TestError("e")).test().expectNoValues().expectError().expectError(TestError("e"))
            .expectError(of: TestError.self)
        Observable<Int>.never().test().expectNoEnd().expectNoValues()
        Single.just(1).test().expectValues([1]).expectCompletion()
    }

    @Test func eventsAreSeenAsTheyArrive() {
        let subject = PublishSubject<Int>()
        let probe = subject.test()
        probe.expectNoValues()
        subject.onNext(1)
        probe.expectValues([1]).expectNoEnd()
        subject.onNext(2)
        #expect(probe.values == [1, 2])
        probe.dispose()
        subject.onNext(3)
        #expect(probe.events == [.next(1), .next(2)])
        #expect(!subject.hasObservers)
        #expect(!probe.isCompleted && probe.error == nil)
    }

    @Test func releasedProbeIsDisposed() {
        let subject = PublishSubject<Int>()
        subject.test().expectNoEnd()
        #expect(!subject.hasObservers)
    }

    @Test func failedExpectationIsRecordedAtTheCall() {
        let (probe, failed) = (Observable.of(1, 2).test(), Observable<Int>.error(TestError("e")).test())
        let line = #line + 2
        let issues = recordedIssues {
            probe.expectValues([1])
            probe.expectValueCount(1)
            probe.expectNoValues()
            probe.expectLastValue(1)
            probe.expectEvents([.completed])
            probe.expectValues("expected a sum of 4") { $0.reduce(0, +) == 4 }
            probe.expectError()
            probe.expectNoEnd()
            failed.expectCompletion()
            failed.expectError(TestError("f"))
            failed.expectError(of: RxError.self)
            Observable<Int>.never().test().expectCompletion()
        }
        let received = "received next(1), next(2), completed"
        #expect(
            issues.map(\.text) == [
                "expected the values [1], \(received)", "expected 1 values, \(received)",
                "expected no values, \(received)",
                "expected the last value 1, \(received)", "expected the events [completed], \(received)",
                "expected a sum of 4, \(received)", "expected an error, \(received)", "expected no end, \(received)",
                "expected completion, received error(e)", "expected the error f, received error(e)",
                "expected an error of the type RxError, received error(e)", "expected completion, received nothing",
            ])
        #expect(issues.map(\.line) == (line..<line + 12).map(Optional.some))
    }
}
