import ConfigTestSupport
import RxJQ
import RxJSON
import TestSupport
import Testing

struct JQArenaTests {
    private static let texts =
        (JQProgramTests.giving + JQProgramTests.harmless).map(\.0) + [
            "[.b, .b]", ".a = nan", "[1, infinite, {deep: [nan]}]", ".b[0] = \"a literal of more than 15 bytes\"",
            "{(.b[0]): \"a literal of more than 15 bytes\"}", "[.[] | tostring]", "to_entries", "\"\\(.b)\"",
            "[paths]", "try error(.) catch .", "path(.b[0])", "[.b[] as $x | {$x}]", "reduce range(250) as $i (0; [.])",
        ]

    /// Outputs that stay in jq's representation equal those that are converted.
    @Test(arguments: texts)
    func outputsAreEqual(text: String) throws {
        let arena = JQArena(compilingAfter: 0)
        let input: JSON = ["a": 1, "b": ["x", "a text of more than 15 bytes"]]
        for variables in [[], ["state"]] {
            let program = try JQProgram(text, at: start, variables: variables)
            let expected = try program.run(input, ["state": 1])
            let value = JQValue(input)
            for _ in 1...2 {
                let outputs = try program.run(value, ["state": JQValue(1)], in: arena)
                #expect(outputs.map(\.json) == expected)
                #expect(outputs.map(\.isTruthy) == expected.map(\.isTruthy))
                #expect(outputs.map(\.isNull) == expected.map { $0 == .null })
            }
        }
    }

    @Test(arguments: JQProgramTests.failing)
    func errorsAreEqual(text: String, message: String) throws {
        let arena = JQArena(compilingAfter: 0)
        let program = try JQProgram(text, at: start)
        for _ in 1...2 { #expect(throws: JQError(message)) { try program.run(JQValue(1), [:], in: arena) } }
        #expect(try JQProgram(".", at: start).run(JQValue([[1]]), [:], in: arena).map(\.json) == [[[1]]])
    }

    /// An output is the input of the next expression, in the same arena and in another; each keeps its value.
    @Test func outputsAreInputs() throws {
        let (arena, other) = (JQArena(compilingAfter: 0), JQArena(compilingAfter: 0))
        let wrap = try JQProgram("{list: [.], text: \"a literal of the program\"}", at: start)
        let change = try JQProgram(".list[0].n += $more.n | .more = $more", at: start, variables: ["more"])
        let first = try #require(try wrap.run(JQValue(["n": 1]), [:], in: arena).first)
        let here = try #require(try change.run(first, ["more": JQValue(["n": 2])], in: arena).first)
        let there = try #require(try change.run(first, ["more": here], in: other).first)
        let text: JSON = "a literal of the program"
        #expect(first.json == ["list": [["n": 1]], "text": text])
        #expect(here.json == ["list": [["n": 3]], "text": text, "more": ["n": 2]])
        #expect(there.json["list"] == [["n": 1]] && there.json["more"] == here.json)
        #expect(try wrap.run(there, [:], in: arena).first?.json["list"] == [there.json])
    }

    /// A program has a state in an arena only if it runs often.
    @Test func rarelyRunProgramIsNotCompiledAgain() throws {
        let arena = JQArena(compilingAfter: 10)
        let program = try JQProgram(".n", at: start)
        for number in 0..<20 {
            let input = JQValue(["n": .number(Double(number))])
            #expect(try program.run(input, [:], in: arena).map(\.json) == [.number(Double(number))])
        }
        #expect(arena.stateCount == 1)
    }

    /// The states of released programs do not accumulate.
    @Test func statesOfPreviousProgramsAreFreed() throws {
        let arena = JQArena(compilingAfter: 0)
        for number in 0..<5 {
            _ = try JQProgram("[., \(number)]", at: start).run(JQValue(1), [:], in: arena)
            #expect(arena.stateCount <= 2)
        }
    }

    /// The outputs of an evaluation that fails are released with it. In a process of its own, where no other test
    /// allocates memory.
    @Test func failureLeavesNothingInResidentMemory() async {
        await #expect(processExitsWith: .success) {
            let arena = JQArena(compilingAfter: 0)
            let program = try JQProgram(#"(range(14) | "\(.)" + "x" * 1000000), error("no")"#, at: start)
            let before = residentPages()
            #expect(throws: JQError("no")) { try program.run(JQValue(1), [:], in: arena) }
            #expect(residentPages() - before < 2_000, "8 of 14 MB: the allocator keeps some")
        }
    }

    /// Threads convert and release values while others evaluate, in two arenas with the same programs.
    @Test func valuesAreUsedByManyThreads() throws {
        let arenas = [JQArena(compilingAfter: 0), JQArena(compilingAfter: 0)]
        let wrap = try JQProgram("{list: [.], text: \"a literal of the program\"}", at: start)
        let unwrap = try JQProgram(".list[0]", at: start)
        let input = JQValue(["text": "the input that all threads have in common"])
        let handed = Cell<[JQValue]>([])
        inParallel(4) { thread in
            for index in 0..<2_000 {
                let arena = arenas[thread % 2]
                guard let made = try? wrap.run(input, [:], in: arena).first,
                    let inner = try? unwrap.run(made, [:], in: arena).first
                else {
                    Issue.record("no output")
                    continue
                }
                // Released, or converted, by another thread.
                let other = Cell<JQValue?>(nil)
                handed.update { values in
                    values.append(inner)
                    guard values.count > 8 else { return }
                    let first = values.removeFirst()
                    other.update { $0 = first }
                }
                if index % 3 == 0, let other = other.value, other.json != input.json { Issue.record("\(other.json)") }
            }
        }
        #expect(handed.value.allSatisfy { $0.json == input.json })
    }
}
