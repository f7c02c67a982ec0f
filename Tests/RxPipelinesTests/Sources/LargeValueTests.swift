import ConfigTestSupport
import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxLinux
@testable import RxPipelines

/// External values are bounded by the memory that they take, not by the bytes that arrive.
struct LargeValueTests {
    private func outcome(_ body: String, _ type: String = "application/json") -> HTTPOutcome {
        HTTPOutcome(
            .success(HTTPResponse(status: 200, headers: ["Content-Type": type], body: Array(body.utf8))),
            of: HTTPRequest("http://x/"))
    }

    private func request(maxBody: Int) -> HTTPRequest {
        var request = HTTPRequest("http://x/")
        request.limits.body = maxBody
        return request
    }

    private static let emptyObjects = "[\(Array(repeating: "{}", count: 10_000).joined(separator: ","))]"

    @Test func bodyBeyondMemoryLimitIsFailure() {
        let event = outcome(Self.emptyObjects).json(of: request(maxBody: 30_001), within: MemoryBudget())
        #expect(event["ok"] == false && event["body"] == .null && event["status"] == 200)
        #expect(event["error"]?["code"] == "bodyLimit")
        #expect(
            event["error"]?["message"]
                == "the body would take 5 MiB of memory, and 0 MiB are allowed with 'maxBody: 30001'")
        let larger = outcome(Self.emptyObjects).json(of: request(maxBody: 1 << 20), within: MemoryBudget())
        #expect(larger["ok"] == true && larger["body"]?.array?.count == 10_000)
    }

    @Test func bodyWithoutFreeMemoryIsFailure() {
        let used = Cell(90 << 20)
        let memory = MemoryBudget(limit: 100 << 20) { used.value }
        for (size, isAdmitted) in [(90, true), (96, false), (90, true)] {
            used.update { $0 = size << 20 }
            let event = outcome(Self.emptyObjects).json(of: request(maxBody: 1 << 20), within: memory)
            #expect(event["ok"] == .bool(isAdmitted))
            if isAdmitted { continue }
            #expect(event["error"]?["code"] == "resources")
            #expect(
                event["error"]?["message"]
                    == "no memory for the response: the daemon uses 96 MiB, and large values are refused above 100 MiB")
        }
        // Small values are always accepted.
        used.update { $0 = 200 << 20 }
        #expect(outcome("{}").json(of: request(maxBody: 1 << 20), within: memory)["ok"] == true)
    }

    @Test func outputWithoutFreeMemoryIsError() {
        let used = Cell(90 << 20)
        let memory = MemoryBudget(limit: 100 << 20) { used.value }
        let output = CommandResult.Output(Array(repeating: UInt8(ascii: "x"), count: 1 << 20))
        let result = CommandResult(
            exit: 0, signal: nil, isTimedOut: false, stdout: output, stderr: output, duration: .seconds(1))
        for (size, isAdmitted) in [(80, true), (90, false), (80, true)] {
            used.update { $0 = size << 20 }
            let event = result.json(within: memory)
            #expect(event["exit"] == 0 && event["duration"] == 1)
            for stream in ["stdout", "stderr"] {
                #expect(event[stream]?.string?.utf8.count == (isAdmitted ? 1 << 20 : 0))
            }
            #expect(
                event["error"]
                    == (isAdmitted
                        ? nil
                        : "no memory for its output: the daemon uses 90 MiB, and large values are refused above 100 MiB")
            )
        }
        // A small output is always accepted.
        used.update { $0 = 200 << 20 }
        var small = result
        (small.stdout, small.stderr) = (.init(Array("x".utf8)), .init())
        #expect(small.json(within: memory)["stdout"] == "x" && small.json(within: memory)["error"] == nil)
    }

    /// A body that is nested too deep for a value is text.
    @Test func bodyNestedTooDeepIsText() {
        let body = String(repeating: "[", count: 100_000)
        let event = outcome(body).json(of: request(maxBody: 1 << 20), within: MemoryBudget())
        #expect(event["ok"] == true && event["body"] == .string(body))
    }

    /// Header fields take much more memory than their bytes.
    @Test func fieldsWithoutFreeMemoryAreFailure() {
        let fields = (0..<1000).map { HTTPHeaders.Field("Field-\($0)", "x") }
        let response = HTTPResponse(status: 200, headers: HTTPHeaders(fields), body: Array("fine".utf8))
        let outcome = HTTPOutcome(.success(response), of: HTTPRequest("http://x/"))
        for (limit, isAdmitted) in [(300_000, true), (180_000, false)] {
            let event = outcome.json(of: request(maxBody: 1 << 20), within: MemoryBudget(limit: limit) { 0 })
            #expect(event["ok"] == .bool(isAdmitted) && event["status"] == 200)
            #expect(event["headers"]?.object?.count == (isAdmitted ? 1000 : 0))
            #expect(event["body"] == (isAdmitted ? "fine" : .null))
            #expect(event["error"]?["code"] == (isAdmitted ? nil : "resources"))
        }
    }

    /// A byte that is not ASCII may be invalid UTF-8.
    @Test(arguments: [("x", 3), ("\u{E9}", 7)])
    func textMemoryIsMultipleOfBytes(character: String, factor: Int) {
        let text = String(repeating: character, count: 100_000)
        for (limit, isAdmitted) in [(factor * text.utf8.count, true), (factor * text.utf8.count - 1, false)] {
            let outcome = outcome(text, "text/plain")
            let budget = MemoryBudget(limit: limit + outcome.headers.memory) { 0 }
            let event = outcome.json(of: request(maxBody: 200_000), within: budget)
            #expect(event["ok"] == .bool(isAdmitted))
            #expect(event["error"]?["code"] == (isAdmitted ? nil : "resources"))
        }
    }

    @Test func maxBodyDefaultIsOneMiB() throws {
        func limit(_ fields: String) throws -> Int {
            let read = HTTPSource.read(try yaml("{ url: 'http://x/', every: 1s\(fields) }"), ReadingContext())
            return try #require(read as? HTTPSource).request.limits.body
        }
        #expect(try limit("") == 1 << 20)
        #expect(try limit(", maxBody: 64KiB") == 64 << 10)
        #expect(try limit(", maxBody: 5MiB") == 5 << 20)
        let context = ReadingContext()
        _ = HTTPSource.read(try yaml("{ url: 'http://x/', every: 1s, maxBody: 1GiB }"), context)
        #expect(
            complaints(context.report) == [
                "1:41: expected a size from 1 byte to 64MiB such as 64KiB or 1MiB, found '1GiB'"
            ])
    }
}

/// `inFlight` also bounds the memory of unsettled events.
@Suite(.balanced) struct InFlightMemoryTests {
    private let large = JSON.string(String(repeating: "x", count: 3 << 20))

    @Test func sourceWaitsWhileLargeValuesAreUnsettled() throws {
        let unsettled = UnsettledEventTable()
        var events: [PipelineEvent] = []
        func accept() throws {
            let event = SourceEvent("s", sequence: UInt64(events.count), time: 0)
            events.append(try #require(unsettled.accept(event, large, memory: large.memory)))
        }
        try accept()
        try accept()
        #expect(!unsettled.requestCallbackIfFull())
        // A single value may exceed the limit.
        try accept()
        #expect(unsettled.requestCallbackIfFull())
        #expect(unsettled.reachedLimit == "memory limit reached: 3 events of 18 MiB are unsettled")
        let calls = Cell(0)
        unsettled.whenBelowLimit { calls.update { $0 += 1 } }
        events.removeFirst()
        #expect(calls.value == 1 && !unsettled.requestCallbackIfFull())
        events = []
        #expect(calls.value == 1 && unsettled.count == 0)
    }

    /// Redelivered values count as before.
    @Test func redeliveredValuesCount() throws {
        let unsettled = UnsettledEventTable()
        let events = try (0..<3).map { number in
            let event = SourceEvent("s", sequence: UInt64(number), time: 0)
            return try #require(unsettled.accept(UnsettledEvent(event, large, order: number + 1)))
        }
        #expect(unsettled.requestCallbackIfFull())
        withExtendedLifetime(events) {}
    }
}
