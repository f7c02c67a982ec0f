import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// The state of the steps of a pipeline is bounded.
@Suite(.balanced, .serialized) struct MemoryQuotaTests {
    @Test func quotaCountsAllReservations() throws {
        let quota = MemoryQuota(limit: 10 << 20, within: MemoryQuota())
        let one = quota.reservation()
        var other: MemoryQuota.Reservation? = quota.reservation()
        try one.set(4 << 20)
        try other?.add(6 << 20)
        let error = #expect(throws: MemoryQuota.ExceededError.self) { try one.add(1) }
        #expect(
            error?.message() == "the state of the pipeline's steps would take 10 MiB of memory; the limit is 10 MiB")
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

    /// Fewer events are replayed if these are large, or if other pipelines remember much, but always the last one.
    @Test func replayIsBoundedByMemory() throws {
        let all = MemoryQuota(limit: 500_000)
        let other = all.reservation()
        let subject = PublishSubject<PipelineEvent>()
        let shared = subject.asObservable().shared(
            replay: 100, scope: .forever, chargedTo: Resources.Account("a"),
            quota: MemoryQuota(limit: 250_000, within: all))
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
        let small = all.byteCount
        try other.set(500_000 - small)
        emit(14, 1)
        #expect(replayed() == [13, 14] && all.byteCount == 500_000)
        emit(15, 40_000)
        #expect(replayed() == [15] && all.byteCount > 500_000)
        try other.set(0)
        emit(16, 1)
        #expect(replayed() == [15, 16])
        first.dispose()
    }

    // MARK: - All pipelines together

    @Test func allPipelinesShareOneLimit() throws {
        let budget = MemoryBudget(limit: 8 << 20) { 0 }
        var first: MemoryQuota.Reservation? = budget.quota().reservation()
        let second = budget.quota(dividedBy: 2)
        let (one, other, third) = (second.reservation(), second.reservation(), budget.quota().reservation())
        try first?.set(2 << 20)
        try one.set(1 << 20)
        try third.set(1 << 20)
        #expect(budget.remembered.byteCount == 4 << 20)
        let error = #expect(throws: MemoryQuota.ExceededError.self) { try third.add(1) }
        #expect(error?.message() == "what all pipelines remember would take 4 MiB of memory; the limit is 4 MiB")
        let ownError = #expect(throws: MemoryQuota.ExceededError.self) { try other.add(1) }
        #expect(ownError?.isOfAll == false && ownError?.limit == 1 << 20)
        #expect(budget.remembered.byteCount == 4 << 20 && second.byteCount == 1 << 20, "refused memory is not counted")
        first = nil
        try third.set(2 << 20)
        other.setUnconditionally(5 << 20)
        #expect(budget.remembered.byteCount == 8 << 20)
        #expect(throws: MemoryQuota.ExceededError.self) { try third.add(1) }
        try third.set(0)
        other.setUnconditionally(0)
        try one.set(0)
        #expect(budget.remembered.byteCount == 0)
    }

    /// Pipelines with a `zip`, a replay and a state, `count` of each.
    private func pipelines(_ count: Int) -> String {
        let pipelines = (0..<count).flatMap { number in
            [
                "z\(number): { zip: [s, slow], to: [stdout] }",
                #"r\#(number): { from: s, steps: [map: '"x" * 600'], share: { replay: 1000 }, to: [stdout] }"#,
                """
                g\(number): { from: s, steps: [groupBy: { key: .tick, steps: [scan: { next: '"x" * 600' }] }], \
                to: [stdout] }
                """,
            ]
        }
        return """
            sources: { s: { interval: { every: 1s } }, slow: { interval: { every: 1h } } }
            pipelines: { \(pipelines.joined(separator: ", ")) }
            """
    }

    @Test(arguments: [
        "zip: [s, slow]", #"from: s, share: { replay: 100 }"#,
        "from: s, steps: [groupBy: { key: .tick, steps: [pairwise] }]",
    ])
    func rememberedSmallEventsCount(pipeline: String) throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let budget = MemoryBudget(limit: 64 << 20) { 0 }
        let graph = try Graph(
            of: """
                sources: { s: { interval: { every: 1s } }, slow: { interval: { every: 1h } } }
                pipelines: { p: { \(pipeline), to: [stdout] } }
                """, on: scheduler, memory: budget)
        graph.start { _ in }
        scheduler.advanceTo(50)
        #expect(budget.remembered.byteCount >= 49 * 512)
        graph.dispose()
        scheduler.start()
        #expect(budget.remembered.byteCount == 0)
    }

    /// A flood of small events. Each of these pipelines stays below its own limit.
    @Test func pipelinesTogetherAreBoundedOverReloads() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let budget = MemoryBudget(limit: 2 << 20) { 0 }
        let limit = 1 << 20
        var largest = 0
        func run(for seconds: Int) {
            for _ in 0..<seconds {
                scheduler.advanceTo(scheduler.clock + 1)
                largest = max(largest, budget.remembered.byteCount)
            }
        }
        let failures = try errors {
            var first: Graph? = try Graph(of: pipelines(12), on: scheduler, memory: budget, onChange: { _ in })
            first?.start { _ in }
            run(for: 300)
            #expect(largest > limit / 10 * 9)
            // A reload releases what the removed pipelines remember, and the others get more.
            var second: Graph? = try Graph(
                of: pipelines(1), replacing: first, on: scheduler, memory: budget, onChange: { _ in })
            second?.take(placeOf: first)
            first = nil
            run(for: 1)
            let afterReload = budget.remembered.byteCount
            #expect(afterReload < limit / 4, "\(afterReload)")
            run(for: 100)
            #expect(budget.remembered.byteCount > afterReload + 100 * 512)
            // Changed pipelines start anew.
            let third = try Graph(
                of: pipelines(12), replacing: second, on: scheduler, memory: budget, onChange: { _ in })
            third.take(placeOf: second)
            second = nil
            run(for: 300)
            third.dispose()
        }
        scheduler.start()
        #expect(largest <= limit, "\(largest)")
        let messages = failures.map { "\($0)" }.filter { $0.contains("what all pipelines remember would take") }
        for step in ["zip", "groupBy"] { #expect(messages.contains { $0.contains(step) }) }
        #expect(budget.remembered.byteCount == 0)
    }

    /// A step that is being started counts the state from before.
    @Test(arguments: ["scan: { next: '\"x\" * 40000' }", "pairwise", "distinctUntilChanged"])
    func restoredStateIsCounted(step: String) throws {
        let budget = MemoryBudget(limit: 1 << 20) { 0 }
        let rig = StateRig(memory: budget)
        let config = """
            sources: { s: { interval: { every: 1s } } }
            pipelines: { p: { from: s, steps: [map: '"x" * 40000', \(step), map: length], to: [stdout] } }
            """
        try rig.start(config)
        rig.emit(1)
        let before = budget.remembered.byteCount
        #expect(before >= 40_000)
        rig.kill()
        #expect(budget.remembered.byteCount == 0)
        try rig.start(config)
        #expect(budget.remembered.byteCount >= 40_000 && budget.remembered.byteCount <= before)
        rig.end()
        #expect(budget.remembered.byteCount == 0)
    }
}
