import RxPipelines
import TestSupport
import Testing

@testable import rxwatchd

struct RecordLimiterTests {
    private let time = Cell(Duration.zero)
    private let limiter: RecordLimiter

    init() {
        limiter = RecordLimiter(now: { [time] in time.value })
    }

    private func error(_ message: String, in pipeline: String = "p", step: String? = nil) -> Record {
        Record(.error, .err, generation: 3, message, [.pipeline: pipeline, .step: step])
    }

    /// How many of this many records of a site pass.
    private func passed(_ count: Int, _ record: Record) -> Int {
        (0..<count).reduce(0) { sum, _ in sum + limiter.pass(record).filter { $0[.suppressed] == nil }.count }
    }

    @Test func eachSiteHasItsOwnLimit() {
        #expect(passed(1_000, error("no")) == 100)
        #expect(passed(1_000, error("no", in: "q")) == 100)
        #expect(passed(1_000, error("no", step: "map")) == 100)
        #expect(passed(1_000, Record(.sink, .err, generation: 3, "no", [.pipeline: "p"])) == 100)
        #expect(passed(1_000, error("no")) == 0)
    }

    @Test(arguments: [RecordKind.resources, .lifecycle, .reload]) func countersAreNeverLimited(kind: RecordKind) {
        #expect(passed(100_000, Record(kind, generation: 1, "x")) == 100_000)
    }

    @Test func suppressedRecordsAreCountedAfterSpan() throws {
        #expect(passed(107, error("no", step: "map")) == 100)
        time.update { $0 = .seconds(9) }
        #expect(limiter.pass(error("other", in: "q")).map(\.message) == ["other"])
        time.update { $0 = .seconds(10) }
        let records = limiter.pass(error("other", in: "q"))
        #expect(records.map(\.message) == ["7 more records like 'no' were suppressed (p, map)", "other"])
        let record = try #require(records.first)
        #expect(record[.suppressed] == "7" && record[.pipeline] == "p" && record[.step] == "map")
        #expect(record.kind == .error && record.priority == .warning && record.generation == 3)
        // The next ones pass again.
        #expect(passed(200, error("no", step: "map")) == 100)
    }

    /// Records of success neither use up the share of errors nor are warned about.
    @Test func successesAreLimitedSeparately() throws {
        let done = Record(.sink, generation: 3, "done", [.pipeline: "p"])
        #expect(passed(1_000, done) == 100)
        #expect(passed(1_000, Record(.sink, .err, generation: 3, "no", [.pipeline: "p"])) == 100)
        #expect(Set(limiter.rest().map(\.priority)) == [.info, .warning])
    }

    @Test func suppressedRecordsAreCountedAtEnd() {
        _ = passed(101, error("no"))
        #expect(limiter.rest().map(\.message) == ["1 more record like 'no' was suppressed (p)"])
        #expect(limiter.rest().isEmpty)
    }

    @Test func oldSitesAreForgotten() {
        for round in 0..<5_000 {
            time.update { $0 += .seconds(1) }
            _ = limiter.pass(error("no", in: "p\(round)"))
        }
        #expect(limiter.origins <= 1_001)
    }

    /// Also of the sites that write at the same time.
    @Test(.timeLimit(.minutes(1))) func manySitesAreCountedInLinearTime() {
        for site in 0..<40_000 { _ = limiter.pass(error("no", in: "p\(site)")) }
        #expect(limiter.origins == 40_000)
        time.update { $0 += .seconds(10) }
        for site in 0..<40_001 { _ = limiter.pass(error("no", in: "q\(site)")) }
        #expect(limiter.origins <= 80_001)
    }

    /// Sites that have suppressed nothing are not examined one after the other when their time is over.
    @Test(.timeLimit(.minutes(1))) func sitesWithoutSuppressedRecordsTakeLinearTime() {
        _ = passed(101, error("no"))
        for site in 0..<40_000 {
            time.update { $0 += .nanoseconds(1) }
            _ = limiter.pass(error("no", in: "p\(site)"))
        }
        time.update { $0 = .seconds(10) }
        #expect(limiter.pass(error("other")).count == 2)
        for site in 0..<40_000 {
            time.update { $0 += .nanoseconds(1) }
            _ = limiter.pass(error("no", in: "q\(site)"))
        }
        #expect(limiter.origins <= 80_001)
    }
}
