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

    @Test func stepsGoOnBehindTheElementsExpectedBefore() {
        let scheduler = TestScheduler(initialClock: 0)
        Observable<Int>.interval(.seconds(10), scheduler: scheduler).test()
            .expectNoMoreValues()
            .then { scheduler.advanceTo(10) }.expectNext(0).expectNoMoreValues()
            .then { scheduler.advanceTo(30) }.expectNext(1).expectNext(2).expectNoMoreValues().expectNoEnd()
    }

    @Test func namesOfOtherLibrariesExpectTheSame() {
        let probe: TestObserver<Int> = Observable.of(1, 2).test()
        probe.assertValues(1, 2).assertResult(1, 2)
        Observable<Int>.error(TestError("e")).test().assertNotComplete()
        let line = #line + 2
        let issues = recordedIssues {
            probe.assertValues(1)
            probe.assertResult(1)
            probe.assertNotComplete()
            Observable<Int>.never().test().assertResult()
            probe.expectNext(2)
            probe.expectNoMoreValues()
        }
        let received = "received next(1), next(2), completed"
        #expect(
            issues.map(\.text) == [
                "expected the values [1], \(received)", "expected the events [next(1), completed], \(received)",
                "expected no completion, \(received)", "expected the events [completed], received nothing",
                "expected the next values [2], \(received)", "expected no more values than before [2], \(received)",
            ])
        #expect(issues.map(\.line) == (line..<line + 6).map(Optional.some))
    }

    @Test func countIsAwaited() async {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let probe = Observable<Int>.interval(.milliseconds(1), scheduler: scheduler).test()
        await probe.awaitCount(3)
        probe.expectNext(0, 1, 2).dispose()
        await Observable.of(1, 2).observe(on: scheduler).test().awaitCount(2)
        // Behind the actions that have delivered.
        await withCheckedContinuation { continuation in
            _ = scheduler.schedule(()) {
                continuation.resume()
                return Disposables.create()
            }
        }
    }

    @Test func awaitingTooManyEndsWithTheSequenceOrTheTime() async {
        let texts = Cell<[String]>([])
        await withKnownIssue {
            await Observable.of(1).test().awaitCount(2)
            await Observable<Int>.never().test().awaitCount(1, within: .milliseconds(1))
        } matching: { issue in
            texts.append(issue.comments.map(\.rawValue).joined())
            return true
        }
        #expect(
            texts.value == [
                "expected 2 values within 10.0 seconds, received next(1), completed",
                "expected 1 values within 0.001 seconds, received nothing",
            ])
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
