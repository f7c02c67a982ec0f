import ConfigTestSupport
import Foundation
import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import rxwatchd

/// Tests of expressions that are evaluated in a separate process.
@Suite(.balanced, .serialized) struct EvaluatorPoolTests {
    private let evaluators = EvaluatorPool(program: Child.program)

    private func run(_ text: String, _ input: JSON = .null) throws -> [JSON] {
        let batch = JQBatch(JQLibrary(evaluator: evaluators))
        let program = try JQProgram(LocatedText(text, at: start), in: batch)
        #expect(batch.compile().list.isEmpty)
        return try program.run(input)
    }

    @Test func expressionsAreEvaluated() throws {
        for number in 1...3 {
            #expect(try run("[range(.)] | length", .number(Double(number))) == [.number(Double(number))])
        }
        #expect(evaluators.pool.idleCount == 1)
        let large = JSON.array((0..<50_000).map { .number(Double($0)) })
        #expect(try run("sort | .[49999]", large) == [49_999])
        evaluators.pool.end()
        #expect(evaluators.pool.idleCount == 0)
    }

    /// The evaluator is a child process like a command, and cannot notify the service manager in place of this process.
    @Test func serviceManagerVariablesAreNotInherited() throws {
        for name in ["NOTIFY_SOCKET", "RX_KEPT"] { setenv(name, "/nowhere", 1) }
        defer { for name in ["NOTIFY_SOCKET", "RX_KEPT"] { unsetenv(name) } }
        let test = EvaluatorPoolTests()
        #expect(try test.run("[range(.)] | [length, env.NOTIFY_SOCKET, env.RX_KEPT]", 1) == [[1, .null, "/nowhere"]])
        #expect(test.evaluators.pool.idleCount == 1)
        test.evaluators.pool.end()
    }

    /// Expressions that would end this process, take all of its memory, or occupy it for ever.
    @Test(
        arguments: [
            ("[1] | .[nan:] | range(1)", "jq aborted"), ("reduce range(3e5) as $i (0; [.])", "nested too deep"),
            ("last(range(1e12))", "stopped after 2s"), ("[range(1e9)]", "96 MiB"),
            ("[range(50)] | reduce .[] as $i (\"x\"; . + .)", "96 MiB"), ("def f: [f]; f", "96 MiB"),
            ("[limit(2; repeat(reduce range(30) as $i (0; [., .])))] | .[0] == .[1]", "stopped after 2s"),
        ] as [(String, String)])
    func crashOfEvaluatorFailsEvent(text: String, message: String) throws {
        let error = #expect(throws: JQError.self) { try run(text) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        // The next expression is evaluated by another process.
        #expect(try run("range(1)") == [0])
        evaluators.pool.end()
    }

    @Test func expressionsAreEvaluatedConcurrently() async throws {
        let done = Cell(0)
        let threads = (0..<6).map { number in
            TestSupport.Thread { [self] in
                for _ in 0..<5 {
                    let outputs = try? run("[range(.)] | length", .number(Double(number)))
                    if outputs == [.number(Double(number))] { done.update { $0 += 1 } }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(done.value == 30)
        #expect((1...2).contains(evaluators.pool.idleCount))
        evaluators.pool.end()
    }

    /// An expression that does not end, and one that makes progress.
    private func endlessAndFast(_ evaluators: EvaluatorPool) throws -> (JQProgram, JQProgram) {
        let batch = JQBatch(JQLibrary(evaluator: evaluators))
        let endless = try JQProgram(LocatedText("last(range(1e12))", at: start), in: batch)
        let fast = try JQProgram(LocatedText("[range(.)] | length", at: start), in: batch)
        #expect(batch.compile().list.isEmpty)
        return (endless, fast)
    }

    /// Three components have endless expressions, and the fourth makes progress.
    @Test func fastComponentIsNotStarved() throws {
        let evaluators = EvaluatorPool(program: Child.program, time: .seconds(1))
        let (endless, fast) = try endlessAndFast(evaluators)
        let arenas = (0..<3).map { _ in JQArena() }
        for arena in arenas { #expect(throws: JQError.self) { try endless.run(JQValue(1), [:], in: arena) } }
        let left = Cell(arenas.count)
        let threads = arenas.map { arena in
            TestSupport.Thread {
                for _ in 0..<2 { _ = try? endless.run(JQValue(1), [:], in: arena) }
                left.update { $0 -= 1 }
            }
        }
        let arena = JQArena()
        var (count, failures) = (0, [String]())
        while left.value > 0 {
            do { _ = try fast.run(JQValue(3), [:], in: arena) } catch { failures.append(error.message) }
            count += 1
        }
        for thread in threads { thread.join() }
        #expect(failures == [] && count > 2)
        #expect(arena.client.longEvaluations == count && arenas.map(\.client.longEvaluations) == [3, 3, 3])
        evaluators.pool.end()
    }

    /// A component has pipelines of a shared source, one of which has an endless expression. Two others have such
    /// expressions, too.
    @Test func fastExpressionOfSlowComponentIsNotStarved() throws {
        let evaluators = EvaluatorPool(program: Child.program, time: .seconds(1))
        let (endless, fast) = try endlessAndFast(evaluators)
        let (shared, others) = (JQArena(), (0..<3).map { _ in JQArena() })
        for arena in others + [shared] {
            #expect(throws: JQError.self) { try endless.run(JQValue(1), [:], in: arena) }
        }
        let left = Cell(others.count)
        let threads = others.map { arena in
            TestSupport.Thread {
                for _ in 0..<3 { _ = try? endless.run(JQValue(1), [:], in: arena) }
                left.update { $0 -= 1 }
            }
        }
        // The component handles one event after the other, each in both pipelines.
        var (count, failures) = (0, [String]())
        while left.value > 0 {
            do { _ = try fast.run(JQValue(3), [:], in: shared) } catch { failures.append(error.message) }
            _ = try? endless.run(JQValue(1), [:], in: shared)
            count += 1
        }
        for thread in threads { thread.join() }
        #expect(failures == [] && count > 1)
        evaluators.pool.end()
    }

    @Test func programThatCannotBeStartedIsError() throws {
        let evaluators = EvaluatorPool(program: "/does/not/exist")
        #expect(throws: JQError("no process to evaluate it: running it: No such file or directory")) {
            try evaluators.evaluate([], of: JQIdentity(), for: nil)
        }
    }
}
