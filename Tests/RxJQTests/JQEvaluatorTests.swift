import ConfigTestSupport
import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON
import TestSupport
import Testing

/// Expressions that are passed to an evaluator.
struct JQEvaluatorTests {
    /// An evaluator in this process.
    private final class Local: JQEvaluator {
        let requests = Cell(0)
        /// Whether each request had a client.
        let clients = Cell<[Bool]>([])
        /// By what each request's expression and client are recognized.
        let identities = Cell<[String]>([])
        private let failure: JQError?

        init(failure: JQError? = nil) {
            self.failure = failure
        }

        func evaluate(
            _ request: [UInt8], of expression: JQIdentity, for client: JQClient?
        ) throws(JQError) -> [UInt8] {
            requests.update { $0 += 1 }
            clients.append(client != nil)
            identities.append("\(expression)")
            if let client { identities.append("\(client.identity)") }
            if let failure { throw failure }
            return JQEvaluation().reply(to: request)
        }
    }

    private func program(_ text: String, variables: [String] = [], _ evaluator: Local) throws -> JQProgram {
        let batch = JQBatch(JQLibrary(evaluator: evaluator))
        let program = try JQProgram(LocatedText(text, at: start), variables: variables, in: batch)
        #expect(batch.compile().list.isEmpty)
        return program
    }

    @Test(
        arguments: [
            ("[range(.)]", 3, "[0,1,2]"), ("range(.), \"é\\u0000\"", 2, #"0 1 "é\u0000""#), ("empty | range(1)", 1, ""),
            ("reduce .[] as $x (0; . + $x)", [1, 2, 3], "6"), ("[1, 2, 3] | .[.[0]:]", .null, "[2,3]"),
            ("def f: .a; f", ["a": ["b": [.null, true, 1.5]]], #"{"b":[null,true,1.5]}"#), ("halt, range(1)", 1, ""),
            ("range(1) | infinite, nan", 1, "1.7976931348623157e+308 null"),
        ] as [(String, JSON, String)])
    func outputsAreEqual(text: String, input: JSON, outputs: String) throws {
        let evaluator = Local()
        let program = try program(text, evaluator)
        #expect(printed(try program.run(input)) == outputs)
        #expect(printed(try program.run(JQValue(input), [:], in: JQArena(compilingAfter: 0)).map(\.json)) == outputs)
        #expect(evaluator.requests.value == 2)
    }

    /// The evaluator remembers identities for longer than the objects live, and a new object may get the address of one.
    @Test func identitiesAreNotReused() throws {
        let evaluator = Local()
        for _ in 0..<20 {
            let program = try program("[range(.)]", evaluator)
            _ = try program.run(JQValue(1), [:], in: JQArena())
        }
        #expect(Set(evaluator.identities.value).count == 40)
    }

    @Test func variablesAreBound() throws {
        let evaluator = Local()
        let program = try program(
            "[range($value)] + [$state, $event.id]", variables: ["event", "value", "state"], evaluator)
        let values: [String: JSON] = ["value": 2, "event": ["id": "a"]]
        #expect(try program.run(.null, values) == [[0, 1, .null, "a"]])
        #expect(evaluator.requests.value == 1)
    }

    @Test func deepInputsArePassed() throws {
        let evaluator = Local()
        let deep = (0..<JSON.maximumDepth).reduce(JSON.number(1)) { value, _ in [value] }
        #expect(try program("[range(0)] | $a", variables: ["a"], evaluator).run(1, ["a": deep]) == [deep])
        #expect(evaluator.requests.value == 1)
    }

    @Test(arguments: [("range(1) | error(\"no\")", "no"), ("range(1) | .a", "Cannot index number with string \"a\"")])
    func errorsAreEqual(text: String, message: String) throws {
        #expect(throws: JQError(message)) { try program(text, Local()).run(1) }
    }

    /// A message may quote a value of any size.
    @Test func longMessagesAreTruncated() throws {
        let value = JSON.string(String(repeating: "é", count: 100_000))
        let error = #expect(throws: JQError.self) { try JQProgram("error", at: start).run(value) }
        #expect(error?.message == String(repeating: "é", count: 500) + "…")
    }

    @Test func failingEvaluatorFailsEvent() throws {
        let program = try program("range(1)", Local(failure: JQError("it has ended")))
        #expect(throws: JQError("it has ended")) { try program.run(1) }
    }

    @Test func smallInputsAreEvaluatedHere() throws {
        let evaluator = Local()
        let program = try program("tojson | length", evaluator)
        #expect(try program.run("a") == [3])
        #expect(evaluator.requests.value == 0)
        let large = JSON.string(String(repeating: "a", count: 20_000))
        #expect(try program.run(large) == [20_002])
        #expect(try program.run(JQValue(large), [:], in: JQArena(compilingAfter: 0)).map(\.json) == [20_002])
        #expect(evaluator.requests.value == 2)
        #expect(try self.program(".a, length", evaluator).run(["a": large]) == [large, 1])
        #expect(evaluator.requests.value == 2)
    }

    /// A value that is large in jq's representation.
    @Test func largeResultsAreEvaluatedElsewhere() throws {
        let evaluator = Local()
        let arena = JQArena(compilingAfter: 0)
        let list = try program(".a | [., .] | [., .] | [., .]", evaluator)
            .run(["a": .string(String(repeating: "a", count: 5_000))])
        let value = try #require(try program(".", evaluator).run(JQValue(list[0]), [:], in: arena).first)
        #expect(evaluator.requests.value == 0)
        #expect(try program("tojson | length", evaluator).run(value, [:], in: arena).map(\.json) == [40_037])
        #expect(evaluator.requests.value == 1)
    }

    /// An expression that has run for long is evaluated elsewhere from then on.
    @Test(.timeLimit(.minutes(1))) func slowExpressionsAreEvaluatedElsewhere() throws {
        var limits = JQLimits()
        limits.noticedAfter = .milliseconds(5)
        limits.inspectionInterval = .milliseconds(2)
        limits.shortInspectionInterval = .milliseconds(1)
        let evaluator = Local()
        let batch = JQBatch(JQLibrary(limits, evaluator: evaluator))
        let program = try JQProgram(LocatedText("[.[] | .[] | .[] | 1] | length", at: start), in: batch)
        #expect(batch.compile().list.isEmpty)
        let line = JSON.array(Array(repeating: 1, count: 100))
        let cube = JSON.array(Array(repeating: .array(Array(repeating: line, count: 100)), count: 100))
        #expect(try program.run(cube) == [1_000_000])
        #expect(evaluator.requests.value == 0)
        #expect(try program.run([[[1]]]) == [1])
        #expect(evaluator.requests.value == 1)
    }

    @Test(arguments: [[], [0], [1, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF, 1]] as [[UInt8]])
    func brokenRequestsAreAnswered(request: [UInt8]) {
        #expect(!JQEvaluation().reply(to: request).isEmpty)
    }

    /// A pipeline that evaluates one such expression after the other counts as making progress.
    @Test func evaluationsElsewhereCountAsProgressOfClient() throws {
        let (evaluator, client, other) = (Local(), JQClient(), JQClient())
        let program = try program("range(2)", evaluator)
        _ = try program.run(1, [:], for: client)
        _ = try program.run(1)
        #expect(client.longEvaluations == 1 && other.longEvaluations == 0 && evaluator.clients.value == [true, false])
        let arena = JQArena(compilingAfter: 0)
        _ = try program.run(JQValue(1), [:], in: arena)
        #expect(arena.client.longEvaluations == 1)
        let failing = try self.program("range(1)", Local(failure: JQError("it has ended")))
        #expect(throws: JQError.self) { try failing.run(1, [:], for: client) }
        #expect(client.longEvaluations == 2)
    }

    /// Values that share parts are small in jq only.
    @Test func outputsBeyondMemoryLimitAreErrors() throws {
        let doublings = Array(repeating: "[., .]", count: 30).joined(separator: " | ")
        let message = "its result needs more than 32 MiB of memory"
        #expect(throws: JQError(message)) { try JQProgram(doublings, at: start).run(1) }
        let arena = JQArena(compilingAfter: 0)
        #expect(throws: JQError(message)) { try JQProgram(doublings, at: start).run(JQValue(1), [:], in: arena) }
    }
}
