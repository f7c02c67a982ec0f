import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// The state of the steps of a pipeline is bounded.
@Suite(.balanced, .serialized) struct KeptMemoryTests {
    @Test func keptMemoryIsSumOfParts() throws {
        let kept = KeptMemory(limit: 10 << 20)
        let one = kept.part()
        var other: KeptMemory.Part? = kept.part()
        try one.set(4 << 20)
        try other?.add(6 << 20)
        let error = #expect(throws: KeptMemory.Excess.self) { try one.add(1) }
        #expect(
            error?.message == "the state of the pipeline's steps would take 10 MiB of memory; the limit is 10 MiB")
        // Refused memory is not counted, and a smaller value is always accepted.
        try one.set(1 << 20)
        try one.set(4 << 20)
        other = nil
        try one.set(10 << 20)
    }

    /// Runs steps in a process with this memory limit; the number of each event is bound to `$event`.
    private func run(_ steps: String, memory: Int, events: Int) throws -> (lines: [String], failures: [String]) {
        try run(
            config: """
                sources: { s: { interval: { every: 1s } } }
                pipelines: { p: { from: s, steps: [\(steps)], to: [stdout] } }
                """, memory: memory, events: events)
    }

    private func run(config: String, memory: Int, events: Int) throws -> (lines: [String], failures: [String]) {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Cell<[String]>([])
        let failures = try errors {
            let graph = Graph(
                try Plan.read(config.utf8, file: "t.yaml"), generation: { 1 },
                host: .inline(memory: MemoryBudget(limit: memory) { 0 }), records: RecordLog(scheduler),
                printLine: { line, receipt in
                    lines.append(line)
                    receipt.end(.written)
                }, makeScheduler: { _ in scheduler })
            graph.start { _ in }
            scheduler.advanceTo(events)
            graph.dispose()
        }
        scheduler.start()
        return (lines.value, failures.map { "\($0)" })
    }

    /// New keys fail, and the existing groups continue.
    @Test func groupsAreBoundedByMemory() throws {
        let (lines, failures) = try run(
            "groupBy: { key: '.tick % 100 | tostring', steps: [scan: { seed: 0, next: '$state + 1' }] }",
            memory: 1 << 20, events: 200)
        let groups = lines.count { $0 == "1" }
        #expect((50..<100).contains(groups) && lines.count { $0 == "2" } == groups)
        #expect(failures.count == 200 - 2 * groups)
        #expect(
            failures.first?.contains(
                "there is no memory for another group: the state of the pipeline's steps would take 25") == true,
            "\(failures.first ?? "")")
    }

    /// The state remains unchanged, and smaller states are accepted.
    @Test func statesAreBoundedByMemory() throws {
        let (lines, failures) = try run(
            #"scan: { seed: "", next: '"x" * (if $value.tick == 3 then 200000 else 20000 end)' }, map: length"#,
            memory: 1 << 20, events: 5)
        #expect(lines == ["20000", "20000", "20000", "20000"])
        #expect(failures.count == 1)
        #expect(
            failures.first?.contains("would take 390 KiB of memory; the limit is 256 KiB") == true,
            "\(failures.first ?? "")")
    }

    @Test func statesOfGroupsAreSummed() throws {
        let (lines, failures) = try run(
            #"groupBy: { key: '.tick % 5', steps: [scan: { seed: "", next: '"x" * 40000' }] }, map: length"#,
            memory: 1 << 20, events: 10)
        #expect(lines.count == 6 && failures.count == 4, "\(lines) \(failures)")
    }

    /// A later event of a group may be larger than its first.
    @Test(arguments: [("pairwise", "2"), ("distinctUntilChanged", "40000")])
    func lastEventsOfGroupsAreSummed(step: String, line: String) throws {
        let (lines, failures) = try run(
            #"groupBy: { key: '.tick % 5', steps: [map: '"x" * 40000', \#(step)] }, map: length"#,
            memory: 1 << 20, events: 10)
        #expect(lines == [line, line, line] && failures.count == 4, "\(lines) \(failures)")
        #expect(failures.contains { $0.contains("\(step) failed") && $0.contains("the limit is 256 KiB") })
    }

    /// The events of a fast node that wait for those of a slow one are bounded.
    @Test func queuesOfZipAreBoundedByMemory() throws {
        let (lines, failures) = try run(
            config: """
                sources: { s: { interval: { every: 1s } }, slow: { interval: { every: 10s } } }
                pipelines:
                  a: { from: s, steps: [map: '"x" * 40000'] }
                  z: { zip: [a, slow], steps: [map: '.[1].tick'], to: [stdout] }
                """, memory: 1 << 20, events: 25)
        #expect(lines == ["0", "1"])
        #expect((18...23).contains(failures.count), "\(failures.count)")
        #expect(
            failures.first?.contains(
                "the events of 'a' that wait for those of the other nodes would take 157 KiB of memory; the limit is 128 KiB"
            )
                == true, "\(failures.first ?? "")")
    }

    /// Fewer events are replayed if these are large, but always the last one.
    @Test func replayIsBoundedByMemory() {
        let subject = PublishSubject<PipelineEvent>()
        let shared = subject.asObservable().shared(
            replay: 100, scope: .forever, chargedTo: Resources.Account("a"), memoryLimit: 250_000)
        let first = shared.subscribe()
        func replayed() -> [UInt64] {
            let events = Cell<[UInt64]>([])
            shared.subscribe(onNext: { events.append($0.sequence) }).dispose()
            return events.value
        }
        func emit(_ number: UInt64, _ size: Int) {
            subject.onNext(
                PipelineEvent(.string(String(repeating: "x", count: size)), source: "s", sequence: number, time: 0))
        }
        for number in 1...10 as ClosedRange<UInt64> { emit(number, 40_000) }
        #expect(replayed() == [8, 9, 10])
        emit(11, 400_000)
        #expect(replayed() == [11])
        emit(12, 1)
        #expect(replayed() == [12])
        emit(13, 1)
        #expect(replayed() == [12, 13])
        first.dispose()
    }
}
