import LoopbackServer
import RxEngine
import RxEngineTest
import RxLinux
import TestSupport
import Testing

private typealias Answer = Result<HTTPResponse, HTTPError>

private func answer(_ status: Int, _ body: String = "", _ headers: HTTPHeaders = [:], retry: Duration? = nil) -> Answer
{
    .success(HTTPResponse(status: status, headers: headers, body: Array(body.utf8), retryAfter: retry))
}

private let refused = Answer.failure(HTTPError(.connect, "refused"))

@Suite(.balanced) struct HTTPPollTests {
    private struct Run {
        /// The times at which requests began.
        var began: [Int] = []
        /// The conditional headers of the requests.
        var conditions: [HTTPHeaders] = []
        /// The emitted outcomes.
        var outcomes: [HTTPOutcome] = []
        /// The number of cancelled requests.
        var cancelled = 0
    }

    /// Polls until 100, and at these times. The n-th request gets the n-th answer after its delay; further requests get
    /// the last one.
    private func run(
        _ poll: HTTPPoll, jitters: [Duration] = [], memory: MemoryQuota = MemoryQuota(), fires: [Int] = [],
        _ answers: [(Int, Answer)]
    ) -> Run {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let run = Cell(Run())
        let jitter = Cell(jitters)
        let subscription = Observable.polls(
            poll, scheduler: scheduler,
            random: { maximum in
                defer { jitter.update { $0 = Array($0.dropFirst()) } }
                return min(maximum, jitter.value.first ?? .zero)
            }, memory: memory,
            fires: .merge(fires.map { Observable<Int>.timer(.seconds($0), scheduler: scheduler).map { _ in } })
        ) { conditions, observer in
            let (span, answer) = answers[min(run.value.began.count, answers.count - 1)]
            let now = scheduler.clock
            run.update {
                $0.began.append(now)
                $0.conditions.append(conditions)
            }
            let timer = scheduler.scheduleRelative((), dueTime: .seconds(span)) {
                observer(answer)
                run.update { $0.cancelled -= 1 }
                return Disposables.create()
            }
            return Disposables.create(timer, Disposables.create { run.update { $0.cancelled += 1 } })
        }
        .subscribe(onNext: { outcome in run.update { $0.outcomes.append(outcome) } })
        scheduler.advanceTo(100)
        subscription.dispose()
        scheduler.start()
        return run.value
    }

    private let request = HTTPRequest("http://x/")

    @Test func pollsFollowGridAndNeverOverlap() {
        let table: [(every: Int, delay: Int, jitters: [Int], takes: [Int], began: [Int])] = [
            (30, 0, [], [0], [0, 30, 60, 90]),
            (30, 7, [], [1], [7, 37, 67, 97]),
            (30, 0, [], [29], [0, 30, 60, 90]),
            (30, 0, [], [30], [0, 30, 60, 90]),
            // A poll that is due during a request is skipped.
            (10, 0, [], [15, 1, 45, 1], [0, 20, 30, 80, 90, 100]),
            (30, 0, [5, 0, 20], [1], [5, 30, 80, 90]),
            // A jitter does not move the grid.
            (20, 0, [9, 9, 9, 9, 9, 9], [1], [9, 29, 49, 69, 89]),
            (20, 101, [], [1], []),
        ]
        for (every, delay, jitters, takes, began) in table {
            let poll = HTTPPoll(
                request, every: .seconds(every), delay: .seconds(delay), jitter: .seconds(jitters.isEmpty ? 0 : 50))
            let run = run(poll, jitters: jitters.map { .seconds($0) }, takes.map { ($0, answer(200)) })
            #expect(run.began == began, "every \(every), \(takes)")
        }
    }

    @Test func firedPollsLeaveGrid() {
        let table: [(fires: [Int], takes: [Int], began: [Int])] = [
            ([10], [1], [0, 10, 30, 60, 90]), ([10, 12, 75], [1], [0, 10, 12, 30, 60, 75, 90]),
            // One that is running is the only one.
            ([1], [2], [0, 30, 60, 90]), ([10, 11, 13], [2], [0, 10, 13, 30, 60, 90]),
            // A point of the grid during a request is skipped.
            ([25], [1, 8], [0, 25, 60, 90]), ([25], [1, 40, 1], [0, 25, 90]),
        ]
        for (fires, takes, began) in table {
            let run = run(HTTPPoll(request, every: .seconds(30)), fires: fires, takes.map { ($0, answer(200)) })
            #expect(run.began == began, "\(fires), \(takes)")
            #expect(run.cancelled <= 1)
        }
        // The jitter of the next poll stays, also after the point of the grid.
        let poll = HTTPPoll(request, every: .seconds(30), jitter: .seconds(29))
        let jitters = [0, 29, 5, 0].map { Duration.seconds($0) }
        #expect(run(poll, jitters: jitters, fires: [40, 50], [(2, answer(200))]).began == [0, 40, 50, 59, 95])
        // So does a pause that the server asks for, from the last response on.
        let busy = [(1, answer(429, retry: .seconds(20))), (1, answer(429, retry: .seconds(20))), (1, answer(200))]
        #expect(
            run(HTTPPoll(request, every: .seconds(10)), fires: [5], busy).began == [
                0, 5, 30, 40, 50, 60, 70, 80, 90, 100,
            ])
    }

    @Test func pollsShareWakeUps() {
        let table: [(every: Int, delay: Int, began: [Int])] = [
            (1000, 0, [0, 1000, 2000]), (1000, 3, [10, 1010, 2010]), (1000, 10, [10, 1010, 2010]),
            (1234, 11, [20, 1250, 2480]),
            // Polls with a shorter period are not delayed.
            (999, 3, [3, 1002, 2001]),
        ]
        for (every, delay, began) in table {
            let scheduler = TestScheduler(initialClock: 0, resolution: 0.001, simulateProcessingDelay: false)
            let times = Cell<[Int]>([])
            let poll = HTTPPoll(request, every: .milliseconds(every), delay: .milliseconds(delay))
            let subscription = Observable.polls(poll, scheduler: scheduler) { _ in
                .zero
            } _: { _, observer in
                times.append(scheduler.clock)
                observer(answer(200))
                return Disposables.create()
            }
            .subscribe()
            scheduler.advanceTo(2500)
            subscription.dispose()
            scheduler.start()
            #expect(times.value == began, "every \(every), \(delay)")
        }
    }

    @Test func retryAfterDelaysNextPoll() {
        let hour = Duration.seconds(3600)
        let table: [(Answer, maximum: Duration, began: [Int])] = [
            (answer(503, retry: .seconds(25)), hour, [0, 30, 40, 50, 60, 70, 80, 90, 100]),
            (answer(429, retry: .seconds(30)), hour, [0, 30, 40, 50, 60, 70, 80, 90, 100]),
            (answer(503, retry: .seconds(31)), hour, [0, 40, 50, 60, 70, 80, 90, 100]),
            (answer(503, retry: .seconds(5)), hour, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]),
            (answer(503, retry: .seconds(Int64.max)), hour, [0]),
            (answer(503, retry: .seconds(Int64.max)), .seconds(42), [0, 50, 60, 70, 80, 90, 100]),
            // The header is ignored with other statuses.
            (answer(200, retry: .seconds(50)), hour, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]),
            (answer(500, retry: .seconds(50)), hour, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]),
        ]
        for (first, maximum, began) in table {
            let poll = HTTPPoll(request, every: .seconds(10), longestRetryAfter: maximum)
            #expect(run(poll, [(0, first), (0, answer(200))]).began == began, "\(first)")
        }
        // The delay counts from the response.
        let poll = HTTPPoll(request, every: .seconds(10))
        let late = run(poll, [(8, answer(503, retry: .seconds(15))), (0, answer(200))])
        #expect(late.began == [0, 30, 40, 50, 60, 70, 80, 90, 100])
    }

    @Test func failedPollIsElement() {
        let run = run(
            HTTPPoll(request, every: .seconds(30)),
            [(0, answer(200, "a")), (0, refused), (0, answer(500, "oops")), (0, answer(200, "a"))])
        #expect(run.outcomes.map(\.ok) == [true, false, false, true])
        #expect(run.outcomes.map(\.status) == [200, nil, 500, 200])
        #expect(run.outcomes.map(\.error?.code) == [nil, .connect, .status, nil])
        #expect(run.outcomes[2].error?.message == "the server answered 500, where 200-399 was expected")
        // A failure does not count as a change: the last expected body is compared.
        #expect(run.outcomes.map(\.changed) == [true, false, false, false])
        #expect(run.outcomes.map(\.body.text) == ["a", "", "oops", "a"])
    }

    @Test func changedBodyIsDetected() {
        let run = run(
            HTTPPoll(request, every: .seconds(20)), ["a", "a", "b", "a", "a", "a"].map { (0, answer(200, $0)) })
        #expect(run.outcomes.map(\.changed) == [true, false, true, true, false, false])
        #expect(run.conditions.allSatisfy { $0.isEmpty })
    }

    /// Without a body, the headers that describe it are compared.
    @Test func changedHeadersAreDetectedWithoutBody() {
        let answers: [HTTPHeaders] = [
            ["ETag": "1"], ["ETag": "1"], ["ETag": "2"], ["Last-Modified": "then"], ["Last-Modified": "now"],
            ["Content-Length": "7"], ["Content-Length": "8"], ["Content-Length": "8", "Date": "later"],
        ]
        let run = run(
            HTTPPoll(HTTPRequest("http://x/", method: "HEAD"), every: .seconds(12), conditional: false),
            answers.map { (0, answer(200, "", $0)) })
        #expect(run.outcomes.map(\.changed).prefix(8) == [true, false, true, true, true, true, true, false])
        // With a body, only the body is compared.
        let whole = self.run(
            HTTPPoll(request, every: .seconds(40), conditional: false),
            answers.map { (0, answer(200, "same", $0)) })
        #expect(whole.outcomes.map(\.changed) == [true, false, false])
    }

    @Test func conditionalRequestKeepsUnchangedBody() {
        let tagged = answer(
            200, "one", ["ETag": "W/\"1\"", "Last-Modified": "then", "Content-Type": "application/json"])
        let unchanged = answer(304, "", ["etag": "W/\"1\"", "Age": "7"])
        let run = run(
            HTTPPoll(request, every: .seconds(20)),
            [
                (0, tagged), (0, unchanged), (0, refused), (0, unchanged), (0, answer(200, "two")),
                (0, answer(200, "two")),
            ])
        let both: HTTPHeaders = ["If-None-Match": "W/\"1\"", "If-Modified-Since": "then"]
        #expect(run.conditions == [[:], both, both, both, both, [:]])
        #expect(run.outcomes.map(\.status) == [200, 200, nil, 200, 200, 200])
        #expect(run.outcomes.map(\.ok) == [true, true, false, true, true, true])
        #expect(run.outcomes.map(\.changed) == [true, false, false, false, true, false])
        #expect(run.outcomes.map(\.body.text) == ["one", "one", "", "one", "two", "two"])
        #expect(run.outcomes.map(\.isJSON) == [true, true, false, true, false, false])
        #expect(run.outcomes[1].headers["Age"] == "7" && run.outcomes[1].headers["Content-Type"] != nil)
    }

    /// The fields of a 304 are those of the event, and not remembered.
    @Test func fieldsOfUnchangedResponsesAreNotRemembered() {
        let unchanged = (0..<50).map { number in
            (0, answer(304, "", HTTPHeaders((0..<10).map { .init("X-\(number)-\($0)", "x") })))
        }
        let quota = MemoryQuota(limit: 1000)
        let run = run(
            HTTPPoll(request, every: .seconds(2)), memory: quota,
            [(0, answer(200, "one", ["ETag": "\"1\"", "X-Kept": "x"]))] + unchanged)
        #expect(run.outcomes.count == 51)
        #expect(run.outcomes.dropFirst().allSatisfy { $0.body.text == "one" && $0.headers.count == 12 })
        #expect(run.outcomes.last?.headers["X-49-9"] == "x" && run.outcomes.last?.headers["X-Kept"] == "x")
    }

    /// A response that there is no memory for is requested in full. Releasing the poll releases the memory.
    @Test func rememberedResponsesShareMemoryLimit() {
        let quota = MemoryQuota(limit: 1000)
        for (size, isRemembered) in [(1, true), (800, true), (900, false), (800, true)] {
            let body = String(repeating: "x", count: size)
            let run = run(
                HTTPPoll(request, every: .seconds(60)), memory: quota, [(0, answer(200, body, ["ETag": "\"1\""]))])
            #expect(run.conditions == [[:], isRemembered ? ["If-None-Match": "\"1\""] : [:]], "\(size)")
            #expect(run.outcomes.map(\.changed) == [true, false])
            #expect(quota.byteCount == 0)
        }
    }

    @Test func conditionsAreOmittedIfUnwantedOrUnusable() {
        let tagged = answer(200, "one", ["ETag": "\"1\""])
        let table: [(HTTPPoll, Answer, HTTPHeaders)] = [
            (HTTPPoll(request, every: .seconds(80)), tagged, ["If-None-Match": "\"1\""]),
            (HTTPPoll(request, every: .seconds(80), conditional: false), tagged, [:]),
            (HTTPPoll(HTTPRequest("http://x/", method: "POST"), every: .seconds(80)), tagged, [:]),
            (HTTPPoll(HTTPRequest("http://x/", headers: ["if-match": "x"]), every: .seconds(80)), tagged, [:]),
            (HTTPPoll(request, every: .seconds(80)), answer(200, "", ["ETag": "a\u{1}b"]), [:]),
            (HTTPPoll(request, every: .seconds(80)), answer(200, "", ["ETag": ""]), [:]),
            (HTTPPoll(request, every: .seconds(80)), answer(404, "", ["ETag": "x"]), [:]),
        ]
        for (poll, first, conditions) in table {
            #expect(run(poll, [(0, first)]).conditions == [[:], conditions])
        }
    }

    @Test func notModifiedWithoutKnownBodyIsEmpty() {
        let run = run(
            HTTPPoll(HTTPRequest("http://x/", headers: ["If-None-Match": "x"]), every: .seconds(80)), [(0, answer(304))]
        )
        #expect(run.outcomes.map(\.ok) == [true, true] && run.outcomes.map(\.changed) == [false, false])
    }

    @Test func certificateIsRememberedWhenPollFails() {
        let certificate = HTTPCertificate(subject: "CN = x", issuer: "", expires: .init(), chainExpires: .init())
        let good = Answer.success(HTTPResponse(status: 200, certificate: certificate))
        let run = run(HTTPPoll(request, every: .seconds(40)), [(0, refused), (0, good), (0, refused)])
        #expect(run.outcomes.map(\.certificate) == [nil, certificate, certificate])
    }

    @Test func disposeCancelsRunningRequest() {
        #expect(run(HTTPPoll(request, every: .seconds(60)), [(50, answer(200))]).cancelled == 1)
        #expect(run(HTTPPoll(request, every: .seconds(60)), [(1, answer(200))]).outcomes.count == 2)
    }
}
