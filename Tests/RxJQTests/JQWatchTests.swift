import ConfigTestSupport
import Dispatch
import RxDiagnostics
import RxJQ
import RxJSON
import TestSupport
import Testing

/// Endless expressions are reported and stopped.
@Suite(.timeLimit(.minutes(1)))
struct JQWatchTests {
    private static func limits(noticed: Duration, stopped: Duration) -> JQLimits {
        var limits = JQLimits()
        limits.noticedAfter = noticed
        limits.stoppedAfter = stopped
        limits.growth = .max
        limits.inspectionInterval = .milliseconds(2)
        limits.shortInspectionInterval = .milliseconds(1)
        return limits
    }

    private let quick = limits(noticed: .milliseconds(5), stopped: .milliseconds(20))

    private func program(_ text: String, line: Int = 1, in library: JQLibrary) throws -> JQProgram {
        let batch = JQBatch(library)
        let place = SourceLocation(file: "t.yaml", line: line, column: 7)
        let program = try JQProgram(LocatedText(text, at: place), in: batch)
        _ = try JQProgram(".", at: place, in: batch)
        #expect(batch.compile().list.isEmpty)
        return program
    }

    static let endless = [
        "last(repeat(.))", "[range(1e9)]", "def f: f; f", "def f: 1 + f; f", "until(false; .)", "last(range(infinite))",
        "last(recurse(.))", "first(repeat(1) | select(. == 2))", "reduce range(1e9) as $i (0; . + 1)",
        "try last(repeat(1)) catch 1", #"def f: try error("x") catch f; f"#, #"[limit(1e9; repeat("x"))]"#,
        "label $f | last(repeat(1))", ".[0] |= last(repeat(.))", "any(repeat(false); .)", "while(true; .) | empty",
        "foreach repeat(1) as $x (0; . + $x; empty)", "last(repeat({a: [.]} | .a[0]))", "[.] | last(repeat(.[]? |= .))",
        #"last(repeat("a b" | gsub(" "; "_")))"#, "last(repeat([path(..)]))", "path(..) | last(repeat(.))",
        "{a: [1, 2]} | .a[] |= last(repeat(.))", "{a: [[1, 2], 3]} | [paths] as $p | del(.a[0][] | last(repeat(.)))",
        "{a: [1, 2]} | with_entries(last(repeat(.)))", "[[1, 2]] | tostream | last(repeat(.))",
        "{a: [1, 2]} | first(path(.a[])) | last(repeat(.))", "label $f | path(..) | last(repeat(.)), break $f",
    ]

    @Test(arguments: endless)
    func endlessExpressionsAreReportedAndStopped(text: String) throws {
        let reports = Cell<[JQSlowRun]>([])
        let library = JQLibrary(quick) { reports.append($0) }
        let program = try program("if . == 0 then 1 else (\(text)) end", line: 3, in: library)
        for round in 1...3 {
            let error = #expect(throws: JQError.self) { try program.run([1]) }
            #expect(error?.message.hasPrefix("stopped after ") == true)
            #expect(error?.message.hasSuffix(": it did not return") == true)
            // The stopped program can be used again.
            #expect(try program.run(0) == [1])
            #expect(
                reports.value.map(\.stage) == Array(repeating: [.stillRuns, .stopped], count: round).flatMap { $0 })
        }
        #expect(Set(reports.value.map(\.location)) == [SourceLocation(file: "t.yaml", line: 3, column: 7)])
        #expect(reports.value.allSatisfy { $0.running >= .milliseconds(5) })
    }

    /// The values of the arena are still valid.
    @Test(arguments: endless)
    func endlessExpressionsAreStoppedInArena(text: String) throws {
        let library = JQLibrary(quick)
        let arena = JQArena(compilingAfter: 0)
        let program = try program("if . == 0 then 1 else (., (\(text))) end", in: library)
        let input = try #require(try JQProgram("[[., 1]]", at: start).run(JQValue(1), [:], in: arena).first)
        for _ in 1...3 {
            let error = #expect(throws: JQError.self) { try program.run(input, [:], in: arena) }
            #expect(error?.message.hasPrefix("stopped after ") == true)
            #expect(try program.run(JQValue(0), [:], in: arena).map(\.json) == [1])
        }
        #expect(input.json == [[1, 1]])
    }

    /// Stopping `path` while it has outputs left makes libjq fail an assertion.
    @Test func stoppedProgramIsConsistent() throws {
        let input: JSON = ["a": [["b": 1], 2]]
        for text in [
            "path(..) | halt", ".a[] |= halt", ".a[] |= (1 | halt_error)", "paths | reduce range(300) as $i (0; [.])",
            "[path(..)] | path(.. | repeat(1))", ".a[] |= repeat(.)", "path(..) | repeat(.)",
        ] {
            let program = try JQProgram("(\(text)), 1", at: start)
            for _ in 1...3 { _ = try? program.run(input) }
        }
    }

    @Test func endOfSlowExpressionIsReported() throws {
        let reports = Cell<[JQSlowRun]>([])
        let limits = Self.limits(noticed: .milliseconds(3), stopped: .seconds(3600))
        let program = try program("last(range(2e6))", in: JQLibrary(limits) { reports.append($0) })
        #expect(try program.run(.null) == [1_999_999])
        #expect(reports.value.map(\.stage) == [.stillRuns, .ended])
    }

    /// An evaluator that answers as often as `answers` is signalled.
    private final class Slow: JQEvaluator {
        let answers = DispatchSemaphore(value: 0)
        private let error: JQError?

        init(error: JQError? = nil) {
            self.error = error
        }

        func evaluate(
            _ request: [UInt8], of expression: JQIdentity, for client: JQClient?
        ) throws(JQError) -> [UInt8] {
            guard answers.wait(timeout: .now() + 20) == .success else { throw JQError("no signal within 20 s") }
            if let error { throw error }
            return JQEvaluation().reply(to: request)
        }
    }

    @Test(arguments: [(nil, .ended), (JQError("no"), .stopped)] as [(JQError?, JQSlowRun.Stage)])
    func slowExpressionOfOtherProcessIsReported(error: JQError?, stage: JQSlowRun.Stage) throws {
        let reports = Cell<[JQSlowRun]>([])
        let evaluator = Slow(error: error)
        let library = JQLibrary(quick, evaluator: evaluator) { slow in
            reports.append(slow)
            if slow.stage == .stillRuns { evaluator.answers.signal() }
        }
        let program = try program("range(.)", line: 4, in: library)
        for _ in 1...2 {
            if let error { #expect(throws: error) { try program.run(1) } } else { #expect(try program.run(1) == [0]) }
        }
        #expect(reports.value.map(\.stage) == [.stillRuns, stage, .stillRuns, stage])
        #expect(Set(reports.value.map(\.location)) == [SourceLocation(file: "t.yaml", line: 4, column: 7)])
        #expect(reports.value.allSatisfy { $0.running >= .milliseconds(5) })
    }

    @Test func quickExpressionOfOtherProcessIsNotReported() throws {
        let reports = Cell<[JQSlowRun]>([])
        let evaluator = Slow()
        let limits = Self.limits(noticed: .seconds(3600), stopped: .seconds(3600))
        let program = try program("range(.)", in: JQLibrary(limits, evaluator: evaluator) { reports.append($0) })
        for _ in 0..<100 {
            evaluator.answers.signal()
            #expect(try program.run(1) == [0])
        }
        #expect(reports.value.isEmpty)
    }

    @Test func quickExpressionIsNotReported() throws {
        let reports = Cell<[JQSlowRun]>([])
        let program = try program(". + 1", in: JQLibrary { reports.append($0) })
        for _ in 0..<10_000 { #expect(try program.run(1) == [2]) }
        #expect(reports.value.isEmpty)
    }

    /// The endless expression is part of a group, and occupies the group. While it is reported, it is not stopped.
    @Test func otherExpressionsContinue() throws {
        let others = Cell<[JQProgram]>([])
        let outputs = Cell<[JSON]>([])
        let library = JQLibrary(quick) { slow in
            if slow.stage == .stopped { return outputs.append("stopped") }
            for other in others.value { outputs.append((try? other.run(1))?.first ?? .null) }
        }
        // The library retains the reports, which would retain objects of the library.
        defer { others.update { $0 = [] } }
        let batch = JQBatch(library)
        let endless = try JQProgram("last(repeat(.))", at: start, in: batch)
        for number in 1...5 { others.append(try JQProgram(". + \(number)", at: start, in: batch)) }
        #expect(batch.compile().list.isEmpty)
        #expect(throws: JQError.self) { try endless.run(1) }
        #expect(outputs.value == [2, 3, 4, 5, 6, "stopped"])
    }

    @Test func memoryIsBounded() throws {
        var limits = Self.limits(noticed: .seconds(3600), stopped: .seconds(3600))
        limits.growth = 16 << 20
        let reports = Cell<[JQSlowRun]>([])
        let program = try program("[range(1e9)]", in: JQLibrary(limits) { reports.append($0) })
        let error = #expect(throws: JQError.self) { try program.run(.null) }
        #expect(error?.message.hasPrefix("stopped: the process grew by ") == true)
        #expect(reports.value.map(\.stage) == [.stopped])
    }

    /// The watch sleeps while nothing is evaluated; the next evaluation wakes it. Compiling takes longer than the watch
    /// waits.
    @Test func watchWakesUp() throws {
        let library = JQLibrary(quick)
        for number in 0..<10 {
            let program = try program("\(number) | last(repeat(.))", in: library)
            #expect(throws: JQError.self) { try program.run(.null) }
        }
    }

    /// `halt` and the watch may both be about to end a program.
    @Test func haltIsNotReportedAsStop() throws {
        let library = JQLibrary(Self.limits(noticed: .milliseconds(1), stopped: .milliseconds(1)))
        let program = try program("last(range(.)) | halt, 1", in: library)
        let failing = try self.program(#"last(range(.)) | "no" | halt_error"#, in: library)
        for count in 0..<200 {
            let input = JSON.number(Double(count * 100))
            do { #expect(try program.run(input).isEmpty) } catch { #expect(error.message.hasPrefix("stopped after ")) }
            let error = #expect(throws: JQError.self) { try failing.run(input) }
            #expect(error?.message == "no" || error?.message.hasPrefix("stopped after ") == true)
        }
    }

    @Test(arguments: [
        ([], "p"), (["p"], "p"), (["o", "p", "q"], "p, and with it o, q"),
        (["a", "b", "c", "d", "e", "f", "g", "p"], "p, and with it a, b, c, d, e and 2 more"),
    ])
    func reportNamesWaitingPipelines(pipelines: [String], blocked: String) {
        let slow = JQSlowRun(
            location: start, pipeline: "p", pipelines: pipelines, running: .milliseconds(500), stage: .stillRuns)
        #expect(slow.message == "this expression of p has run for 500ms, and blocks \(blocked)")
    }
}
