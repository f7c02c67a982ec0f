import RxEngineTest
import TestSupport
import Testing

@testable import RxEngine

@Suite(.balanced) struct RetryPolicyTests {
    typealias Events = [Recorded<Event<Int>>]

    static let failing: Events = [.next(10, 1), .error(20, TestError())]

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let policy: RetryPolicy
        var source: Events = failing
        let starts: [Int]
        let end: Recorded<Event<Int>>?
    }

    static let rows: [Row] = [
        Row(
            testDescription: "at once, twice", policy: .immediate(times: 2), starts: [200, 220, 240],
            end: .error(260, TestError())),
        Row(testDescription: "not at all", policy: .immediate(times: 0), starts: [200], end: .error(220, TestError())),
        Row(
            testDescription: "after a wait", policy: .delayed(.seconds(5), times: 2), starts: [200, 225, 250],
            end: .error(270, TestError())),
        Row(
            testDescription: "after increasing delays, up to a cap",
            policy: .exponential(from: .seconds(10), upTo: .seconds(45)), starts: [200, 230, 270, 330, 395, 460, 525],
            end: nil),
        Row(
            testDescription: "delays that triple",
            policy: .exponential(from: .seconds(10), upTo: .seconds(1000), factor: 3), starts: [200, 230, 280, 390],
            end: nil),
        Row(
            testDescription: "elements reset the count of failures",
            policy: RetryPolicy(
                times: 1, backoff: .exponential(from: .seconds(100), upTo: .seconds(1000)), elementsReset: true),
            starts: [200, 320, 440], end: nil),
        Row(
            testDescription: "elements that do not reset the count",
            policy: RetryPolicy(times: 1, backoff: .constant(.seconds(100))),
            starts: [200, 320], end: .error(340, TestError())),
        Row(
            testDescription: "an error that does not satisfy the predicate",
            policy: RetryPolicy(backoff: .constant(.seconds(1)), shouldRetry: { $0 is RxError }), starts: [200],
            end: .error(220, TestError())),
        Row(
            testDescription: "delays of a closure",
            policy: .custom(times: 3) { failures in .seconds(failures * failures * 10) }, starts: [200, 220, 250, 310],
            end: .error(330, TestError())),
        Row(
            testDescription: "a closure that never retries",
            policy: .custom { failures in failures == 0 ? .seconds(5) : .never }, starts: [200, 225], end: nil),
        Row(
            testDescription: "errors that the policies refuse",
            policy: .custom(shouldRetry: { $0 is RxError }, delay: { _ in .seconds(1) }), starts: [200],
            end: .error(220, TestError())),
        Row(
            testDescription: "an error that satisfies the predicate",
            policy: RetryPolicy(times: 1, shouldRetry: { $0 is TestError }),
            starts: [200, 220], end: .error(240, TestError())),
        Row(
            testDescription: "never again", policy: RetryPolicy(backoff: .constant(.never)), starts: [200], end: nil),
        Row(
            testDescription: "no error", policy: .immediate(times: 3), source: [.next(10, 1), .completed(20)],
            starts: [200], end: .completed(220)),
    ]

    @Test(arguments: rows) func rules(row: Row) {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let cold = scheduler.createColdObservable(row.source)
        let observer = scheduler.start(disposed: 545) { cold.retry(row.policy, scheduler: scheduler) }
        #expect(cold.subscriptions.map(\.subscribe).prefix(row.starts.count) == row.starts[...])
        #expect(observer.events.last.flatMap { $0.value.isStopEvent ? $0 : nil } == row.end)
        #expect(
            observer.events.filter { !$0.value.isStopEvent }.map(\.time) == cold.subscriptions.map { $0.subscribe + 10 }
        )
    }

    /// Jitter shortens a delay by up to the given part.
    @Test func jitterShortensDelay() {
        var policy = RetryPolicy.delayed(.seconds(10), jitter: 0.5)
        policy.random = { 0.4 }
        #expect(policy.wait(after: TestError(), failures: 0)?.nanoseconds == 8_000_000_000)
        policy.jitter = 1
        policy.random = { 1 }
        #expect(policy.wait(after: TestError(), failures: 0)?.nanoseconds == 0)
        policy = .exponential(from: .seconds(1), upTo: .seconds(60), jitter: 0.2)
        for failures in 0..<100 {
            let wait = policy.wait(after: TestError(), failures: failures)?.nanoseconds ?? 0
            let longest = min(60, failures < 6 ? 1 << failures : 60) * 1_000_000_000
            #expect((Int64(longest) * 8 / 10...Int64(longest)).contains(wait))
        }
    }

    @Test func delayOfAnyNumberOfFailuresIsFinite() {
        let policy = RetryPolicy.exponential(from: .seconds(1), upTo: .never)
        #expect(policy.wait(after: TestError(), failures: 10_000)?.nanoseconds == 9_000_000_000_000_000_000)
        #expect(policy.wait(after: TestError(), failures: .max)?.nanoseconds == 9_000_000_000_000_000_000)
    }

    /// The source breaks the grammar.
    @Test func elementsAfterErrorDoNotResetDelay() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let starts = Cell<[Int]>([])
        let source = Observable<Int>.source { sink in
            starts.append(scheduler.clock)
            sink.error(TestError())
            sink.next(5)
            return Disposables.create()
        }
        let policy = RetryPolicy(times: 2, backoff: .constant(.seconds(10)), elementsReset: true)
        let observer = scheduler.start { source.retry(policy, scheduler: scheduler) }
        #expect(starts.value == [200, 210, 220])
        #expect(observer.events == [.error(220, TestError())])
    }

    @Test func everyPolicyTakesPredicate() {
        let refuses: @Sendable (any Error) -> Bool = { _ in false }
        for policy in [
            .immediate(times: 1, shouldRetry: refuses), .delayed(.seconds(1), shouldRetry: refuses),
            .exponential(from: .seconds(1), upTo: .seconds(2), shouldRetry: refuses),
            .custom(shouldRetry: refuses) { _ in .seconds(1) },
        ] as [RetryPolicy] {
            #expect(policy.wait(after: TestError(), failures: 0) == nil)
        }
    }

    @Test func delaysPassWithoutSchedulerOfTheProgram() async throws {
        let attempts = Cell(0)
        let source = Observable<Int>.deferred {
            attempts.update { $0 += 1 }
            return attempts.value < 3 ? .error(TestError()) : .just(attempts.value)
        }
        let log = EventLog<Int>()
        let subscription = source.retry(.delayed(.milliseconds(1))).subscribe(log)
        try await eventually("the third attempt succeeds") { log.events == [.next(3), .completed] }
        subscription.dispose()
    }

    @Test func disposeCancelsDelay() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let cold = scheduler.createColdObservable(Self.failing)
        _ = scheduler.start(disposed: 230) { cold.retry(.delayed(.seconds(50)), scheduler: scheduler) }
        scheduler.advanceTo(1000)
        #expect(cold.subscriptions == [Subscription(200, 220)])
    }

    @Test func synchronousFailuresTakeNoStack() {
        onSmallStack {
            let runs = Cell(0)
            let source = Observable<Int>.deferred {
                runs.update { $0 += 1 }
                return runs.value == 100_000 ? .just(1) : .error(TestError())
            }
            let log = EventLog<Int>()
            _ = source.retry(RetryPolicy(), scheduler: TestScheduler(initialClock: 0)).subscribe(log)
            #expect(log.events == [.next(1), .completed])
        }
    }

    @Test func invalidPolicyTraps() async {
        await #expect(processExitsWith: .failure) { _ = RetryPolicy(times: -1) }
        await #expect(processExitsWith: .failure) { _ = RetryPolicy(jitter: 1.5) }
    }
}
