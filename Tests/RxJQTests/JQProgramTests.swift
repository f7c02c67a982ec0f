import ConfigTestSupport
import RxJQ
import RxJSON
import TestSupport
import Testing

struct JQProgramTests {
    static let giving: [(String, String)] = [
        (".", #"{"a":1,"b":["x","y"]}"#), (".b[]", #""x" "y""#), ("empty", ""), (".a, .c", "1 null"),
        ("{z: .a, y: 2}", #"{"z":1,"y":2}"#), (".a # a comment", "1"), (".a |\n  . + 1", "2"),
        ("def f(x): x * 2; f(.a)", "2"), (".a as $q | $q + 1", "2"), (".a = 5 | .a", "5"),
        ("nan, infinite", "null 1.7976931348623157e+308"), ("-infinite", "-1.7976931348623157e+308"),
        ("9007199254740993", "9007199254740992"), (#""\u0000é""#, #""\u0000é""#), ("$__loc__.line", "1"),
        (".b |\n$__loc__.line", "2"), ("$ENV | type", #""object""#), ("env | type", #""object""#),
        ("[label $f | 1, break $f]", "[1]"), ("first(range(1e9))", "0"), (#"try error("x") catch ."#, #""x""#),
    ]

    static let failing: [(String, String)] = [
        ("error(\"x\")", "x"), ("1, error(\"x\")", "x"), ("error({a: 1})", #"{"a":1}"#),
        ("input", "'input' is not available: the event is '.'"),
        ("keys", "number (1) has no keys"), ("{a: 1} | halt_error", #"{"a":1}"#), ("\"x\" | halt_error", "x"),
        ("repeat(.)", "more than 100000 outputs for one input"),
        ("reduce range(300) as $i (0; [.])", "a value is nested deeper than 256 levels"),
    ]

    static let harmless: [(String, String)] = [
        ("error(null)", ""), ("halt", ""), ("1, halt, 2", "1"), ("debug", "1"), ("stderr", "1"), ("[inputs]", "[]"),
        ("input_filename", "null"), ("[limit(3; repeat(.))]", "[1,1,1]"),
    ]

    @Test(arguments: Self.giving)
    func outputsOfExpressions(text: String, outputs: String) throws {
        let program = try JQProgram(text, at: start)
        let input: JSON = ["a": 1, "b": ["x", "y"]]
        #expect(printed(try program.run(input)) == outputs)
        // The same with variables, which wrap the text in another way.
        let wrapped = try JQProgram(text, at: start, variables: ["state"])
        #expect(printed(try wrapped.run(input, ["state": 1])) == outputs)
    }

    @Test func variablesAreBound() throws {
        let text = "if $value then $state + 1 else $event.sequence end, ."
        let program = try JQProgram(text, at: start, variables: ["event", "state", "value"])
        #expect(try program.run("in", ["state": 2, "value": true]) == [3, "in"])
        #expect(try program.run("in", ["event": ["sequence": 7], "value": false]) == [7, "in"])
        #expect(try program.run("in") == [.null, "in"])
    }

    @Test(arguments: Self.failing)
    func errorsOfExpressions(text: String, message: String) throws {
        let program = try JQProgram(text, at: start)
        for _ in 1...2 { #expect(throws: JQError(message)) { try program.run(1) } }
    }

    @Test(arguments: Self.harmless)
    func harmfulExpressionsAreHarmless(text: String, outputs: String) throws {
        let program = try JQProgram(text, at: start)
        for _ in 1...2 { #expect(printed(try program.run(1)) == outputs) }
    }

    @Test func errorLeavesProgramUsable() throws {
        let program = try JQProgram("if . == 0 then error(\"zero\") else 10 / . end", at: start)
        #expect(try program.run(5) == [2])
        #expect(throws: JQError("zero")) { try program.run(0) }
        #expect(try program.run(2) == [5])
    }

    /// libjq 1.6 frees the input of `halt_error` whenever it is started again.
    @Test func haltErrorLeavesNothingBehind() throws {
        let program = try JQProgram(#"if . == 0 then {a: "zero \(.)"} | halt_error else {a: "\(.)"} end"#, at: start)
        for number in 0..<1_000 {
            let remainder = number % 5
            if remainder == 0 {
                #expect(throws: JQError(#"{"a":"zero 0"}"#)) { try program.run(0) }
            } else {
                #expect(try program.run(.number(Double(remainder))) == [["a": .string("\(remainder)")]])
            }
        }
    }

    @Test func programIsUsedByManyThreads() async throws {
        let shared = try JQProgram(".a + 1", at: start)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let own = try JQProgram("{b: .a, c: $state}", at: start, variables: ["state"])
                    for index in 0..<200 {
                        let number = JSON.number(Double(task * 1000 + index))
                        #expect(try shared.run(["a": number]) == [.number(Double(task * 1000 + index + 1))])
                        #expect(try own.run(["a": number], ["state": "s"]) == [["b": number, "c": "s"]])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Oniguruma initializes itself on first use, which two threads must not do at once. In a process of its own, where
    /// it is not initialized.
    @Test func firstMatchesAreOnManyThreads() async {
        await #expect(processExitsWith: .success) {
            let programs = try (0..<4).map { try JQProgram("test(\"a.c\") and \($0) >= 0", at: start) }
            inParallel(4) { thread in precondition((try? programs[thread].run("abc")) == [true]) }
        }
    }

    /// jq counts the references to a literal without atomics, and the error that ended an evaluation is a literal. In a
    /// process of its own, which a wrong count would crash.
    @Test(.timeLimit(.minutes(1))) func errorsOnManyThreads() async {
        await #expect(processExitsWith: .success) {
            let program = try JQProgram(#"error("a literal of the program")"#, at: start)
            inParallel(4) { _ in
                for _ in 0..<200_000 {
                    do throws(JQError) {
                        _ = try program.run(.null)
                    } catch {
                        precondition(error.message == "a literal of the program")
                    }
                }
            }
        }
    }

    /// In a process of its own, where no other test allocates memory.
    @Test func memoryDoesNotGrow() async {
        await #expect(processExitsWith: .success) {
            let text = "if .n % 2 == 0 then error({n}) else {n, s: $state} end"
            let program = try JQProgram(text, at: start, variables: ["state"])
            func run(_ times: Int) {
                for number in 0..<times {
                    _ = try? program.run(["n": .number(Double(number))], ["state": ["x", "y"]])
                    _ = try? JSON(parsing: number % 2 == 0 ? "[1, [2, " : "[1, [2]]")
                }
                for _ in 0..<times / 1000 {
                    _ = try? JQProgram("{a: [1, 2", at: start)
                    _ = try? JQProgram("[[.a], [.b]]", at: start).run(["a": "x"])
                }
            }
            run(5_000)
            let before = residentPages()
            run(50_000)
            #expect(residentPages() - before < 256, "1 MiB; one value leaked in a run would be more")
        }
    }
}
