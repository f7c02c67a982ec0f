import ConfigTestSupport
import Dispatch
import RxDiagnostics
import RxJQ
import TestSupport
import Testing

@testable import RxPipelines

/// Large configurations with many errors: the work for them is bounded, whatever they contain.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ConfigWorkTests {
    private func read(_ text: String) async -> Diagnostics {
        await apart {
            do throws(Diagnostics) {
                _ = try LoadedConfig([("t.yaml", Array(text.utf8))], Substitution())
                return Diagnostics([])
            } catch {
                return error
            }
        }
    }

    /// Runs long work off the threads that other tests need to make progress.
    private func apart<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: body()) }
        }
    }

    /// The size of the message, with everything that is shown below it.
    private func size(_ error: Diagnostics) -> Int { "\(error)".utf8.count }

    /// Many pipelines, each with its number for a `#`, and the number of the next for an `@`.
    private func pipelines(_ count: Int, _ text: String) -> String {
        let all = (0..<count).map { number in
            let own = text.split(separator: "#", omittingEmptySubsequences: false).joined(separator: "\(number)")
            let next = "\((number + 1) % count)"
            return
                "  p\(number): { \(own.split(separator: "@", omittingEmptySubsequences: false).joined(separator: next)) }\n"
        }
        return "sources: { tick: { interval: 1s } }\npipelines:\n" + all.joined()
    }

    @Test(arguments: [
        (5_000, "from: nobody#"), (1_000, "form: tick, stesp: [], too: #"),
        (1_000, "from: tick, steps: [nosuchstep#: 1, take: x]"), (2_000, "merge: [nobody#, tick, p#]"),
        (1_000, "from: tick, to: [journal: '{{#'], onError: never"),
        (1_000, "from: tick, steps: [timeout: { after: 0, other: nobody# }, debounce: 1h]"),
    ])
    func manyErrors(count: Int, text: String) async {
        let text = pipelines(count, text)
        let error = await read(text)
        #expect(error.list.count == Report.maximum + 1)
        #expect(error.list.last?.message.hasPrefix("and ") == true)
        #expect(size(error) < 200_000)
    }

    /// An expression is compiled repeatedly to find its errors; this is done for a limited number only.
    @Test func manyWrongExpressions() async {
        let (failed, reported) = await apart {
            let batch = JQBatch(JQLibrary())
            for line in 1...2_000 {
                let place = SourceLocation(file: "t.yaml", line: line, column: 1)
                _ = try? JQProgram("nosuch # \(line)", at: place, in: batch)
            }
            let found = batch.compile().list.count
            return (batch.failed, found)
        }
        // Each thread may be about to find one more.
        #expect((JQBatch.enoughErrors..<JQBatch.enoughErrors + 64).contains(failed))
        #expect(reported == failed)
    }

    /// Names are sorted once, and searched for as many errors as are printed.
    @Test func nameSearchesAreBounded() {
        let report = Report()
        var names = NodeNames()
        for number in 0..<2_000 { names.declare("name\(number)", at: start, report) }
        for number in 0..<2_000 {
            names.check(LocatedText("other\(number)", at: SourceLocation(file: "t", line: number, column: 1)), report)
        }
        #expect(report.count == 2_000 && names.searches == Report.maximum)
        let first = report.all.list.first?.message ?? ""
        #expect(first.hasPrefix("there is no source or pipeline 'other0'; there are name0, name1, name10, "))
        #expect(first.hasSuffix(" and 1980 more"))
    }

    /// Counts how many names are read.
    private struct Names: Sequence {
        let looks = Cell(0)

        func makeIterator() -> AnyIterator<String> {
            AnyIterator { [looks] in
                looks.update { $0 += 1 }
                return looks.value % 10 == 0 ? nil : "name"
            }
        }
    }

    @Test func unprintedHintsAreNotSearched() {
        let (report, names) = (Report(), Names())
        #expect(report.hint(for: "nmae", in: names) == "; did you mean 'name'?" && names.looks.value == 10)
        for line in 1...Report.maximum { report.add("wrong", at: SourceLocation(file: "t", line: line, column: 1)) }
        #expect(report.hint(for: "nmae", in: names) == "" && names.looks.value == 10)
    }

    // MARK: chains and cycles

    /// All start from the next pipeline, and from some earlier ones: as many cycles, each longer than the last.
    @Test(arguments: [(10_000, "from: p@"), (3_000, "merge: [p@, p0]"), (2_000, "merge: [p@, p1, p0]")])
    func longCycles(count: Int, text: String) async {
        let text = pipelines(count, text)
        let error = await read(text)
        #expect(!error.list.isEmpty && size(error) < 100_000)
        let names = (0..<10).map { "p\($0) from " }.joined()
        let first = error.list.first?.message ?? ""
        #expect(first.hasPrefix("pipelines form a cycle: p0 from p"), "\(first)")
        if error.list.count == 1 { #expect(first.hasSuffix("\(names)9990 more from p0")) }
    }

    /// Joined so that each is below the one before, and looked up from the lowest.
    @Test func longChainsOfComponentsAreJoined() {
        var components = ComponentFinder()
        let count = 50_000
        for number in 1..<count {
            components.join("0", "s\(number)")
            components.join("0", "\(number)")
        }
        let name = components.name(of: "0")
        #expect((0..<count).allSatisfy { components.name(of: "\($0)") == name })
    }

    // MARK: long texts

    private static let long = String(repeating: "x", count: 100_000)

    /// Each has a long text in place of a `§`.
    @Test(arguments: [
        "sources: { ? § : { interval: 1s } }\npipelines: { p: { from: tick } }",
        "sources: { tick: { interval: 1s } }\npipelines: { ? § : { from: tick } }",
        "sources: { tick: { interval: 1s } }\npipelines: { p: { from: § } }",
        "sources: { tick: { interval: § } }\npipelines: { p: { from: tick } }",
        "sources: { tick: { interval: 1§ } }\npipelines: { p: { from: tick } }",
        "sources: { tick: { ? § : 1s } }\npipelines: { p: { from: tick } }",
        "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, ? § : 1 } }",
        "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, steps: [§] } }",
        "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, to: [unit: { start: § }] } }",
        "sources: { tick: { unit: § } }\npipelines: { p: { from: tick } }",
        "sources: { tick: { files: § } }\npipelines: { p: { from: tick } }",
        "sources: { tick: { http: { url: §, every: 1s } } }\npipelines: { p: { from: tick } }",
        "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, to: [file: §] } }",
        "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, steps: [map: §] } }",
        "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, steps: [map: $§] } }",
        "sources: { tick: { interval: '${§}' } }\npipelines: { p: { from: tick } }",
        "sources: { tick: { interval: '${credential:§}' } }\npipelines: { p: { from: tick } }",
        "sources: { tick: { interval: '${§:?no}' } }\npipelines: { p: { from: tick } }",
        "sources: { tick: { interval: *§ } }\npipelines: { p: { from: tick } }",
        "sources: { tick: !§ { interval: 1s } }\npipelines: { p: { from: tick } }",
        "§: 1", "? §\n: 1",
    ])
    func longTexts(text: String) async {
        let error = await read(
            text.split(separator: "§", omittingEmptySubsequences: false).joined(separator: Self.long))
        #expect(
            (1...3).contains(error.list.count) && size(error) < 10_000, "\(error.list.map { $0.message.prefix(100) })")
    }

    @Test func nameOfOneMegabyte() async {
        let name = String(repeating: "x", count: 1_000_000)
        for text in [
            "sources: { ? \(name) : { interval: 1s } }\npipelines: { p: { from: tick } }",
            "sources: { tick: { interval: 1s } }\npipelines: { p: { from: \(name) } }",
        ] {
            let error = await read(text)
            #expect((1...2).contains(error.list.count) && size(error) < 5_000)
        }
    }

    /// A text that occurs once and is used a thousand times is counted a thousand times.
    @Test func repeatedText() async {
        let uses = (0..<1_000).map { "  p\($0): { from: tick, steps: [map: *text] }\n" }.joined()
        let long = String(repeating: "x", count: 250_000)
        let text =
            "sources: { tick: { interval: 1s } }\npipelines:\n"
            + "  p: { from: tick, steps: [map: &text '\"\(long)\"'] }\n\(uses)"
        #expect(await read(text).list.map(\.message) == ["more than 4 MiB of text, aliases counted in full"])
        #expect(await read(text).list.first?.location.line == 19)
    }
}
