import RxDiagnostics
import RxEngine
import RxEngineTest
import RxJQ
import TestSupport
import Testing

@testable import RxPipelines

/// Every message about a part of the configuration names its location in the configuration that is running now.
@Suite(.balanced) struct SourceLocationTests {
    // MARK: while a configuration is read

    /// Each has an error at the `§`, which is removed.
    private static let invalidLines = [
        "steps: [map: '.a | §nosuch']", "steps: [filter: '.a ==§']", "steps: [single: '§nosuch']",
        "steps: [scan: { next: '§nosuch' }]", "steps: [reduce: { next: '§nosuch' }]",
        "steps: [distinctUntilChanged: '§nosuch']", "steps: [takeWhile: '§nosuch']", "steps: [skipWhile: '§nosuch']",
        "steps: [compactMap: '§nosuch']", "steps: [withLatestFrom: { from: tick, map: '§nosuch' }]",
        "steps: [groupBy: { key: '§nosuch', steps: [] }]",
        "steps: [groupBy: { key: '.', steps: [map: '§nosuch'] }]",
        "steps: [window: { count: 2, steps: [filter: '§nosuch'] }]",
        "steps: [flatMap: { files: '/{{§nosuch}}' }]", "steps: [concatMap: { files: /a, map: '§nosuch' }]",
        "steps: [flatMapLatest: { http: { url: 'http://x/', headers: { a: '§{{.a' } } }]",
        "steps: [flatMapFirst: { command: { run: [a, '{{.a | §nosuch}}'] } }]",
        "to: [journal: 'a {{§nosuch}}']", "to: [journal: { message: '{{.a}} {{.b | §nosuch}}' }]",
        "to: [journal: { fields: { A: '{{§nosuch}}' } }]", "to: [journal: '{{.a | (.b§}}']",
        "to: [command: { run: [a, '{{§nosuch}}'] }]", "to: [command: { run: [a], environment: { A: '{{§nosuch}}' } }]",
        "to: [file: { path: /a, format: '{{§nosuch}}' }]", "to: [unit: { start: '{{§nosuch}}.service' }]",
        "to: [http: 'http://x/{{§nosuch}}']", "to: [http: { url: 'http://x/', body: '§{{.a' }]",
        "to: [http: { url: 'http://x/', headers: { a: '{{§nosuch}}' } }]",
    ]

    @Test(arguments: invalidLines) func errorHasItsLocation(line: String) throws {
        let mark = try #require(line.unicodeScalars.firstIndex(of: "§"))
        let column = 4 + line.unicodeScalars.distance(from: line.unicodeScalars.startIndex, to: mark) + 1
        let text = String(line.filter { $0 != "§" })
        let config = "sources: { tick: { interval: 1s } }\npipelines:\n  p:\n    from: tick\n    \(text)\n"
        let error = try #require(throws: Diagnostics.self) { try Plan.read(config.utf8, file: "t.yaml") }
        let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        try #require(lines.count == 3, "\(error)")
        #expect(lines[0].hasPrefix("t.yaml:5:\(column): "), "\(error)")
        #expect(lines[1] == "    \(text)")
        #expect(lines[2] == String(repeating: " ", count: column - 1) + "^")
    }

    // MARK: while it runs

    private static let config = """
        sources: { tick: { interval: 10s } }
        pipelines:
          p:
            from: tick
            steps: [STEP]
            to: [SINK]
        """

    /// The locations in messages, for a configuration and then for the same three lines further down.
    private func places(_ step: String, _ sink: String) throws -> [String] {
        let config = Self.config.replacing("STEP", with: step).replacing("SINK", with: sink)
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let records = RecordLog(scheduler)
        func graph(_ config: String, _ previous: Graph?) throws -> Graph {
            try Graph(of: config, replacing: previous, on: scheduler, records: records)
        }
        var messages: [String] = []
        let found = try errors {
            let old = try graph(config, nil)
            old.start { _ in }
            scheduler.advanceTo(10)
            let new = try graph("# One\n# Two\n# Three\n\(config)", old)
            // Until the new configuration replaces it, the running one keeps its locations.
            scheduler.advanceTo(20)
            new.start { _ in new.replace(old, drain: .zero) {} }
            scheduler.advanceTo(30)
            new.dispose()
        }
        scheduler.start()
        #expect(records.lines(.source) == ["0 info tick is armed: interval every 10s"])
        messages += found.map { ($0 as? PipelineError)?.record(generation: 1).message ?? "\($0)" }
        messages += records.all(.sink).map(\.message)
        return messages.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("t.yaml:") }.map { String($0.dropFirst(7)) }
        }
    }

    @Test(arguments: [
        (#"map: error("no")"#, "stdout", ["5:18:", "5:18:", "8:18:"]),
        (#"window: { count: 1, steps: [map: error("no")] }"#, "stdout", ["5:46:", "5:46:", "8:46:"]),
        ("timeout: 1min, map: error", "stdout", ["5:33:", "5:33:", "8:33:"]),
        (#"flatMap: { command: { run: ["{{error}}"] } }"#, "stdout", ["5:44:", "5:44:", "8:44:"]),
        (#"concatMap: { files: "{{.tick}}" }"#, "stdout", ["5:33:", "5:33:", "8:33:"]),
        ("skip: 0", #"journal: '{{error("no")}}'"#, ["6:22:", "6:22:", "9:22:"]),
        ("skip: 0", #"journal: '{{.tick}} {{error("no")}}'"#, ["6:20:", "6:20:", "9:20:"]),
        ("skip: 0", #"command: { run: [a, '{{error}}'] }"#, ["6:33:", "6:33:", "9:33:"]),
        ("skip: 0", #"file: { path: /dev/null, format: '{{error("no")}}' }"#, ["6:46:", "6:46:", "9:46:"]),
        ("skip: 0", #"http: 'http://x/{{error}}'"#, ["6:28:", "6:28:", "9:28:"]),
        ("skip: 0", #"unit: { start: '{{error}}' }"#, ["6:28:", "6:28:", "9:28:"]),
    ])
    func placesOfKeptNodesMoveWithConfig(step: String, sink: String, expected: [String]) throws {
        let messages = try places(step, sink)
        #expect(messages == expected)
    }

    /// The sinks are new; the steps before them are not.
    @Test func placesOfKeptStepsMoveWithConfig() throws {
        let plan = try Plan.read(
            Self.config.replacing("STEP", with: "map: .").replacing("SINK", with: "journal: '{{.}}'").utf8,
            file: "t.yaml")
        let pipeline = try #require(plan.pipelines.first)
        // The expression and its step.
        #expect(pipeline.locationCells.map(\.location.line) == [5, 5])
        #expect(pipeline.sinks.map { $0.locationCells.map(\.location.line) } == [[6]])
        let other = SourceLocationCell(SourceLocation(file: "u.yaml", line: 7, column: 8))
        other.belong(to: "q", among: ["q", "r"])
        pipeline.locationCells.move(to: [other, other])
        #expect(pipeline.locationCells.map(\.location) == [other.location, other.location])
        #expect(pipeline.locationCells.first?.pipeline == "q" && pipeline.locationCells.first?.pipelines == ["q", "r"])
    }

    // MARK: expressions that take long

    @Test func slowExpressionNamesItsPipelines() throws {
        var limits = JQLimits()
        (limits.noticedAfter, limits.stoppedAfter) = (.milliseconds(5), .milliseconds(20))
        (limits.inspectionInterval, limits.shortInspectionInterval, limits.growth) = (
            .milliseconds(2), .milliseconds(1), .max
        )
        let runs = Cell<[JQSlowRun]>([])
        let library = JQLibrary(limits) { runs.append($0) }
        let config = """
            sources: { tick: { interval: 10s }, tock: { interval: 10s } }
            pipelines:
              p: { from: tick, steps: [map: "last(repeat(.))"] }
              q: { from: p, to: [stdout] }
              r: { from: tock, to: [journal: "{{last(repeat(.))}}"] }
            """
        let rig = Rig(try LoadedConfig([("t.yaml", Array(config.utf8))], Substitution(), library).plan)
        _ = errors { rig.run(until: 10) }
        let slow = runs.value.filter { $0.stage == .stillRuns }
        #expect(Set(slow.map { "\($0.location) \($0.pipeline ?? "")" }) == ["t.yaml:3:34 p", "t.yaml:5:37 r"])
        #expect(slow.first { $0.pipeline == "p" }?.pipelines == ["p", "q"])
        #expect(slow.first { $0.pipeline == "r" }?.pipelines == ["r"])
        let record = try #require(slow.first { $0.pipeline == "p" }).record(generation: 1)
        #expect(record[.pipeline] == "p")
        #expect(record.message.hasPrefix("t.yaml:3:34: this expression of p has run for "))
        #expect(record.message.hasSuffix(", and blocks p, and with it q"))
        rig.drop()
    }
}

extension String {
    fileprivate func replacing(_ text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
