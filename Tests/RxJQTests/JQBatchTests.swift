import ConfigTestSupport
import RxDiagnostics
import RxJQ
import RxJSON
import TestSupport
import Testing

struct JQBatchTests {
    private func program(
        _ text: String, line: Int = 1, variables: [String] = [], in batch: JQBatch
    ) throws(Diagnostics) -> JQProgram {
        let place = SourceLocation(file: "t.yaml", line: line, column: 1)
        return try JQProgram(LocatedText(text, at: place), variables: variables, in: batch)
    }

    /// Two texts that differ only in the form of a character are two expressions, in one batch and in a later one.
    @Test(arguments: [["\u{E9}", "e\u{301}"], ["a\u{323}\u{307}", "a\u{307}\u{323}"]])
    func canonicallyEquivalentTextsAreTwoExpressions(forms: [String]) throws {
        let library = JQLibrary()
        let batch = JQBatch(library)
        var programs = try forms.map { try program(". == \"\($0)\"", in: batch) }
        #expect(batch.compile().list.isEmpty)
        let later = JQBatch(library)
        programs += try forms.map { try program(". == \"\($0)\"", in: later) }
        #expect(later.compile().list.isEmpty && library.count == 2)
        for (index, program) in programs.enumerated() {
            #expect(
                try forms.map { try printed(program.run(.string($0))) }
                    == (index % 2 == 0 ? ["true", "false"] : ["false", "true"]))
        }
    }

    /// Expressions give the same outputs alone and among many others.
    @Test func expressionsGiveSameOutputsInUnit() throws {
        let input: JSON = ["a": 1, "b": ["x", "y"]]
        let tables = [
            (input, JQProgramTests.giving), (1, JQProgramTests.harmless), (.null, JQDefencesTests.unchanged),
        ]
        let batch = JQBatch(JQLibrary())
        var expected: [(JQProgram, JSON, String)] = []
        for (input, table) in tables {
            for (text, outputs) in table {
                expected.append((try program(text, in: batch), input, outputs))
                let wrapped = "$state as $s | (\(text)\n)"
                expected.append((try program(wrapped, variables: ["state"], in: batch), input, outputs))
            }
        }
        var failing: [(JQProgram, String)] = []
        for (text, message) in JQProgramTests.failing { failing.append((try program(text, in: batch), message)) }
        #expect(batch.compile().list.isEmpty)
        #expect(batch.compiled > 100)
        for _ in 1...2 {
            for (program, input, outputs) in expected {
                #expect(printed(try program.run(input, ["state": 1])) == outputs)
            }
            for (program, message) in failing { #expect(throws: JQError(message)) { try program.run(1) } }
        }
    }

    @Test func variablesAreBound() throws {
        let batch = JQBatch(JQLibrary())
        let variables = ["event", "state", "value"]
        let one = try program("[., $state, $value]", variables: variables, in: batch)
        let other = try program("$event.sequence + .", variables: variables, in: batch)
        let plain = try program(". + 1", variables: variables, in: batch)
        #expect(batch.compile().list.isEmpty)
        #expect(one.variables == ["state", "value"])
        #expect(try one.run(1, ["state": 2, "value": 3]) == [[1, 2, 3]])
        #expect(try one.run(1, ["state": 2]) == [[1, 2, .null]])
        #expect(try other.run(1, ["event": ["sequence": 7]]) == [8])
        #expect(try plain.run(1) == [2])
    }

    /// Every error keeps its location and its message, whatever surrounds it.
    @Test func everyErrorKeepsItsLocation() {
        let batch = JQBatch(JQLibrary())
        var expected: [String] = []
        var found: [String] = []
        for (number, (text, complaint)) in JQErrorTests.wrong.enumerated() {
            let first = number * 10 + 1
            found += complaints { () throws(Diagnostics) in
                _ = try program(". + \(number)", line: first + 9, in: batch)
                _ = try program(text, line: first, variables: ["event", "state"], in: batch)
            }
            expected += complaint.map { message in
                let parts = message.split(separator: ":", maxSplits: 1)
                return "\(first + (Int(parts[0]) ?? 0) - 1):\(parts[1])"
            }
        }
        found += complaints { () throws(Diagnostics) in throw batch.compile() }
        #expect(found.sorted() == expected.sorted())
    }

    /// Texts that are not expressions, but fit the text around them in a group, and names that a group reserves.
    @Test(arguments: [
        ["1\n); def x: (2", "1"], ["1) | (2", "3) | (4"], ["(1", "2)"], ["\"a", "b\""],
        ["1 end | if . then 2", "true"],
        ["1", "__rx0", "__rxs0", "$__rx", "$__input"], ["1", ".a = 1", "_index(1)"], ["def f: 1;", "f"],
        ["1 # 2", "nott", ".a |", "true"], ["nott", "nott", "$nott"], ["label $f | 1", "break $f"],
        ["1", "\"\\(", ")\""],
    ])
    func expressionsInUnitAreIsolated(texts: [String]) {
        let batch = JQBatch(JQLibrary())
        var expected: [String] = []
        for (number, text) in texts.enumerated() {
            let place = SourceLocation(file: "t.yaml", line: number * 10 + 1, column: 1)
            expected += complaints { () throws(Diagnostics) in _ = try JQProgram(text, at: place) }
        }
        let found = complaints { () throws(Diagnostics) in
            for (number, text) in texts.enumerated() { _ = try program(text, line: number * 10 + 1, in: batch) }
            throw batch.compile()
        }
        #expect(!found.isEmpty && found == expected)
    }

    /// A program that is too deep for jq's parser within a group, and may be so alone: jq has not checked the others, and
    /// they are neither skipped nor taken for right.
    @Test(arguments: [(4995, false), (5000, true)]) func tooDeepProgramHidesNoOtherError(depth: Int, isWrong: Bool)
        throws
    {
        let deep = "." + String(repeating: "|.", count: depth)
        let batch = JQBatch(JQLibrary())
        let first = try program(deep, line: 1, in: batch)
        _ = try program("nott", line: 11, in: batch)
        let last = try program(". + 1", line: 21, in: batch)
        let found = complaints { () throws(Diagnostics) in throw batch.compile() }
        let deepOne = "1:9995: this is too long for jq; do it in several steps"
        #expect(
            found == (isWrong ? [deepOne] : []) + ["11:1: there is no function 'nott'; did you mean 'not' or '.nott'?"])
        #expect(try last.run(1) == [2])
        if !isWrong { #expect(try first.run(1) == [1]) }
    }

    @Test func knownExpressionIsNotCompiledAgain() throws {
        let library = JQLibrary()
        let first = JQBatch(library)
        let kept = try (1...3).map { try program(". + \($0)", line: $0, in: first) }
        #expect(first.compile().list.isEmpty && first.compiled == 3 && library.count == 3)

        let second = JQBatch(library)
        let again = try (2...5).map { try program(". + \($0)", line: $0 + 10, in: second) }
        #expect(second.compile().list.isEmpty && second.compiled == 2 && library.count == 5)
        for program in kept + again { #expect(try program.run(1).count == 1) }
        #expect(try again[0].run(1) == [3] && again[3].run(1) == [6])
        #expect(again[0].location.line == 12)
    }

    @Test func libraryDropsUnusedExpressions() throws {
        let library = JQLibrary()
        do {
            let batch = JQBatch(library)
            let programs = try (1...3).map { try program(". + \($0)", in: batch) }
            #expect(batch.compile().list.isEmpty)
            #expect(programs.count == library.count)
        }
        #expect(library.count == 0)
    }

    /// An error that was found once is found again.
    @Test func invalidExpressionIsNotCached() throws {
        let library = JQLibrary()
        for _ in 1...2 {
            let batch = JQBatch(library)
            let programs = try ["nott", "1", "2"].map { try program($0, in: batch) }
            let found = complaints { () throws(Diagnostics) in throw batch.compile() }
            #expect(found == ["1:1: there is no function 'nott'; did you mean 'not' or '.nott'?"])
            // Running it nevertheless throws this error.
            #expect(throws: JQError.self) { try programs[0].run(1) }
            #expect(try programs[1].run(.null) == [1])
        }
    }

    /// From a group to a state of its own, and from many threads.
    @Test func threadsMayUseUnitConcurrently() throws {
        let batch = JQBatch(JQLibrary())
        let programs = try (0..<4).map { try program("{n: (. + \($0)), s: $state}", variables: ["state"], in: batch) }
        let shared = try program(". * 2", in: batch)
        #expect(batch.compile().list.isEmpty)
        inParallel(4) { thread in
            for index in 0..<6_000 {
                let number = JSON.number(Double(index))
                let outputs = try? programs[thread].run(number, ["state": "s"])
                if outputs != [["n": .number(Double(index + thread)), "s": "s"]] { Issue.record("\(outputs ?? [])") }
                let doubled = try? shared.run(number)
                if doubled != [.number(Double(index * 2))] { Issue.record("\(doubled ?? [])") }
            }
        }
    }

    @Test func batchOfHundredIsFasterThanTwentySingles() throws {
        let clock = ContinuousClock()
        let together = try clock.measure {
            let batch = JQBatch(JQLibrary())
            let programs = try (0..<100).map { try program(".a + \($0) | select(. > \($0))", in: batch) }
            #expect(batch.compile().list.isEmpty && programs.count == 100)
        }
        let apart = try clock.measure {
            for number in 0..<20 { _ = try JQProgram(".a + \(number) | select(. > \(number))", at: start) }
        }
        #expect(together < apart)
    }
}
