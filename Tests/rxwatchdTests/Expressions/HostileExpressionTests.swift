import ConfigTestSupport
import Glibc
import RxDiagnostics
import RxJQ
import RxJSON
import TestSupport
import Testing

@testable import RxLinux
@testable import rxwatchd

/// Hostile expressions, evaluated as by the daemon.
@Suite(.balanced, .serialized, .timeLimit(.minutes(5)))
struct HostileExpressionTests {
    private static func outcome(
        of row: HostileExpression, in library: JQLibrary
    ) throws -> HostileExpression.Outcome {
        let input = try row.input.value()
        do throws(Diagnostics) {
            let batch = JQBatch(library)
            let program = try JQProgram(LocatedText(row.text, at: start), in: batch)
            let errors = batch.compile()
            if let first = errors.list.first { return refused(first) }
            do throws(JQError) {
                return .gives(try program.run(input).map(\.description).joined(separator: " "))
            } catch {
                return .fails(error.message)
            }
        } catch {
            return error.list.first.map(refused) ?? .refused("")
        }
    }

    private static func refused(_ error: Diagnostic) -> HostileExpression.Outcome {
        .refused("\(error.location.line):\(error.location.column): \(error.message)")
    }

    /// A size of this process's memory.
    private static func mebibytes(_ name: String) -> Int {
        let fields = KernelFile.text(of: "/proc/self/status").split(separator: "\n").first { $0.hasPrefix(name) }
        return (fields?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) >> 10
    }

    /// In a process of its own, whose memory and children are those of the expressions. No expression ends it, blocks
    /// it, or takes more memory than allowed.
    @Test func everyHostileExpressionHasItsOutcome() async {
        #expect(HostileExpression.all.count >= 272)
        await #expect(processExitsWith: .success) {
            // The limit of processor time ends what does not return, also if the machine leaves a process little of it.
            let evaluators = EvaluatorPool(program: Child.program, time: .seconds(60))
            let library = JQLibrary(evaluator: evaluators)
            let before = HostileExpressionTests.mebibytes("VmRSS:")
            for row in HostileExpression.all {
                let start = ContinuousClock.now
                let outcome = try HostileExpressionTests.outcome(of: row, in: library)
                let isExpected =
                    switch (row.outcome, outcome) {
                    case (.fails(let beginning), .fails(let message)), (.refused(let beginning), .refused(let message)):
                        message.hasPrefix(beginning)
                    case (.exceedsLimit, .fails(let message)):
                        ["it needs more than 96 MiB of memory", "stopped after 2s"].contains { message.hasPrefix($0) }
                    case (let expected, let found): expected == found
                    }
                #expect(isExpected, "\(row.text) of \(row.input): \(outcome)")
                #expect(ContinuousClock.now - start < .seconds(50), "\(row.text) of \(row.input)")
            }
            evaluators.pool.end()
            #expect(HostileExpressionTests.mebibytes("VmHWM:") - before < 96)
            var children = rusage()
            getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &children)
            // The memory of a process at its start comes on top.
            #expect(children.ru_maxrss >> 10 < 160)
        }
    }
}
