import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// Values that steps make are bounded like those that sources emit.
@Suite(.balanced, .serialized) struct MadeValueTests {
    private func config(_ steps: String, to sink: String = "stdout") -> String {
        """
        sources: { s: { interval: { every: 1s } } }
        pipelines: { p: { from: s, steps: [\(steps)], to: [\(sink)] } }
        """
    }

    /// Each value takes two million bytes.
    private static let large = #"map: '"x" * 1000000'"#

    @Test(arguments: [
        "\(large), delay: 1h", "\(large), map: '{a: .}', delay: 1h", "\(large), timestamp, delay: 1h",
        #"scan: { next: '"x" * 1000000' }, map: length, delay: 1h"#, "\(large), buffer: { span: 1h }, map: length",
    ])
    func sourceWaitsWhileStepsHoldLargeValues(steps: String) throws {
        let rig = StateRig()
        try rig.start(config(steps))
        for number in 1...30 { rig.emit(.number(Double(number))) }
        #expect(rig.graph?.unsettledCounts == ["s": 10], "nine, and the value that the source has kept")
        let warnings = rig.records.all(.source).filter { $0.priority == .warning }.map(\.message)
        #expect(warnings == ["s: memory limit reached: 9 events of 17 MiB are unsettled; the latest values are kept"])
        rig.wait(7300)
        #expect(rig.graph?.unsettledCounts.values.reduce(0, +) == 0)
        #expect(rig.lines.value.count == (steps.contains("buffer") ? 2 : 10))
        rig.end()
    }

    /// A list that waits for more events than the source may have emits what it has: no other event would come.
    @Test(arguments: [("", 3), (", skip: 5", 3), (", skip: 25", 2)])
    func bufferEmitsEarlyAtMemoryLimit(skip: String, lists: Int) throws {
        let rig = StateRig()
        try rig.start(config("\(Self.large), buffer: { count: 20\(skip) }, map: length"))
        for number in 1...30 { rig.emit(.number(Double(number))) }
        #expect(rig.lines.value == Array(repeating: "9", count: lists))
        let warnings = rig.records.all(.event).filter { $0.priority == .warning }.map(\.message)
        #expect(warnings.count == 1 && warnings[0].hasPrefix("buffer: a list has 9 events instead of 20, since"))
        #expect(rig.records.all(.source).allSatisfy { $0.priority != .warning })
        rig.end()
    }

    /// The other steps that wait for events fail those for which there is no memory.
    @Test(arguments: [("toArray", ["8"]), ("takeLast: 12", Array(repeating: "1000000", count: 8))])
    func collectingStepsFailEventsAtMemoryLimit(steps: String, lines: [String]) throws {
        let rig = StateRig()
        let failures = try errors {
            try rig.start(config("\(Self.large), window: { count: 20, steps: [\(steps)] }, map: length"))
            for number in 1...20 { rig.emit(.number(Double(number))) }
            #expect(rig.lines.value == lines)
            #expect(rig.graph?.unsettledCounts.values.reduce(0, +) == 0)
            rig.end()
        }
        #expect(failures.count == 12)
        #expect(failures.first.map { "\($0)" }?.contains("there is no memory for another event") == true)
    }

    /// No source stops for good because of what several such steps hold together. The memory of the first lists is free
    /// for the last event of the others.
    @Test(arguments: [
        ("toArray", ["3", "3", "4"], 8), ("takeLast: 12", Array(repeating: "1000000", count: 10), 8),
        // Steps that have their number of events replace the oldest one.
        ("takeLast: 3", Array(repeating: "1000000", count: 9), 3),
    ])
    func collectingStepsOfOneSourceShareItsMemory(step: String, lines: [String], failed: Int) throws {
        let rig = StateRig()
        let pipelines = ["p", "q", "r"].map { name in
            "\(name): { from: s, steps: [\(Self.large), window: { count: 6, steps: [\(step)] }, map: length], to: [stdout] }"
        }
        let failures = try errors {
            try rig.start(
                "sources: { s: { interval: { every: 1s } } }\npipelines: { \(pipelines.joined(separator: ", ")) }")
            for number in 1...6 { rig.emit(.number(Double(number))) }
            #expect(rig.lines.value.sorted() == lines)
            #expect(rig.graph?.unsettledCounts.values.reduce(0, +) == 0)
            rig.end()
        }
        #expect(failures.count == failed)
    }

    /// An event that several steps collect counts once, and what sinks hold does not count.
    @Test func collectedMemoryIsCountedOnce() throws {
        let unsettled = UnsettledEventTable()
        let collected = try #require(unsettled.accept(SourceEvent("s", sequence: 1, time: 0), 1, memory: 6 << 20))
        let other = try #require(unsettled.accept(SourceEvent("s", sequence: 2, time: 0), 2, memory: 12 << 20))
        let delivery = try #require(collected.delivery)
        for _ in 0..<3 { delivery.addCollectors(1) }
        #expect(unsettled.isAtMemoryLimit && !unsettled.isHeldBackByCollectors(releasing: 0))
        #expect(delivery.memoryOfSoleCollector == 0)
        let made = other.with("a long enough text", memory: 2 << 20)
        made.derivedMemory?.addCollectors(1)
        #expect(unsettled.isHeldBackByCollectors(releasing: 0) && !unsettled.isHeldBackByCollectors(releasing: 1))
        #expect(made.derivedMemory?.memoryOfSoleCollector == 2 << 20)
        delivery.addCollectors(-2)
        #expect(unsettled.isHeldBackByCollectors(releasing: 0) && delivery.memoryOfSoleCollector == 6 << 20)
        delivery.addCollectors(-1)
        #expect(!unsettled.isHeldBackByCollectors(releasing: 0))
        withExtendedLifetime(made) {}
    }

    /// An endless source in a step drops values only while others that were made in the steps wait: the outer events alone
    /// may use all the memory for as long as the source runs.
    @Test func outerEventsAloneDropNothing() throws {
        let unsettled = UnsettledEventTable()
        let outer = try #require(unsettled.accept(SourceEvent("s", sequence: 1, time: 0), 1, memory: 32 << 20))
        #expect(unsettled.isAtMemoryLimit && !unsettled.isAtMemoryLimitWithMadeValues)
        let inner = outer.with("a long enough text", memory: 2 << 20)
        #expect(inner.derivedMemory != nil && unsettled.isAtMemoryLimitWithMadeValues)
        withExtendedLifetime(inner) {}
    }

    /// An endless source in a step does not wait: its values are dropped while those before use all the memory, and the
    /// first drop is recorded. Values go on when the memory is free.
    @Test func endlessInnerSourceDropsAtMemoryLimit() throws {
        let rig = StateRig()
        try rig.start(
            config("flatMap: { interval: 1s, map: .tick }, map: '[., \"x\" * 1000000]', delay: 1m, map: '.[0]'"))
        rig.emit(1)
        rig.wait(59)
        let warnings = rig.records.all(.event).filter { $0.priority == .warning }
        #expect(
            warnings.map(\.message) == [
                "flatMap: values of its source are dropped, since the events that wait use all the memory that they may"
            ])
        #expect(warnings.first?[.step] == "flatMap" && warnings.first?[.pipeline] == "p")
        rig.wait(121)
        let ticks = rig.lines.value.compactMap { Int($0) }
        let first = (0..<ticks.count).prefix { ticks[$0] == $0 }.count
        #expect((7...9).contains(first) && ticks.count > first && ticks[first] >= 59, "\(ticks)")
        #expect(rig.records.all(.event).filter { $0.priority == .warning }.count == 1)
        rig.end()
    }

    @Test func releasedValuesDoNotCount() throws {
        let rig = StateRig()
        try rig.start(config("\(Self.large), map: length, delay: 1h"))
        for number in 1...30 { rig.emit(.number(Double(number))) }
        #expect(rig.graph?.unsettledCounts == ["s": 30])
        rig.wait(3601)
        #expect(rig.lines.value == Array(repeating: "1000000", count: 30))
        rig.end()
    }

    /// Values that the next process redelivers count there, too.
    @Test func redeliveredResultsAreDelivered() throws {
        let rig = StateRig()
        let text = config(#"scan: { next: '"x" * 1000000' }, delay: 1h, map: length"#)
        try rig.start(text)
        for number in 1...12 { rig.emit(.number(Double(number))) }
        rig.kill()
        try rig.start(text)
        rig.wait(7300)
        #expect(rig.lines.value == Array(repeating: "1000000", count: 10))
        rig.end()
    }

    /// An endless command holds one event while the others wait.
    @Test func sourceWaitsWhileSinkHoldsLargeValues() throws {
        let rig = try Rig(config(Self.large, to: "command: { run: [sleep, '1000'] }"))
        rig.start()
        rig.scheduler.advanceTo(60)
        #expect(rig.graph?.unsettledCounts == ["s": 10])
        rig.drop()
    }

    /// If one event leads to many, all of them are counted.
    @Test func valuesOfOneEventAddUp() throws {
        let unsettled = UnsettledEventTable()
        let event = try #require(unsettled.accept(SourceEvent("s", sequence: 1, time: 0), 1))
        var made = (0..<3).map { _ in event.with(.string("x"), memory: 0).with("a long enough text", memory: 6 << 20) }
        #expect(unsettled.requestCallbackIfFull())
        #expect(unsettled.reachedLimit == "memory limit reached: 1 event of 18 MiB is unsettled")
        let calls = Cell(0)
        unsettled.whenBelowLimit { calls.update { $0 += 1 } }
        #expect(made[0].remembered.derivedMemory == nil)
        made.removeLast()
        #expect(calls.value == 1 && !unsettled.requestCallbackIfFull())
        // Replaced by a small value.
        made[0] = made[0].with(1)
        made = []
        withExtendedLifetime(event) {}
    }

    @Test func memoryIsSharedBySources() {
        let budget = MemoryBudget(limit: 192 << 20) { 0 }
        #expect(budget.share(ofSources: 0) == 16 << 20)
        #expect(budget.share(ofSources: 6) == 16 << 20)
        #expect(budget.share(ofSources: 12) == 8 << 20)
        for count in [7, 384, 385, 1000, 100_000] { #expect(count * budget.share(ofSources: count) <= 96 << 20) }
        #expect(MemoryBudget().share(ofSources: 1000) == 16 << 20)
        let unsettled = UnsettledEventTable(memoryLimit: 256 << 10)
        let event = unsettled.accept(SourceEvent("s", sequence: 1, time: 0), 1, memory: 300 << 10)
        #expect(unsettled.requestCallbackIfFull())
        #expect(unsettled.reachedLimit == "memory limit reached: 1 event of 300 KiB is unsettled")
        withExtendedLifetime(event) {}
    }

    /// A configuration with so many sources, of which the first emits.
    private func config(_ steps: String, sources: Int) -> String {
        let others = (1..<sources).map { ", s\($0): { interval: { every: 1h } }" }.joined()
        return """
            sources: { s: { interval: { every: 1s } }\(others) }
            pipelines: { p: { from: s, steps: [\(steps)], to: [stdout] } }
            """
    }

    /// The sources that a reload keeps have the same memory as the new ones.
    @Test func reloadChangesMemoryOfKeptSources() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let budget = MemoryBudget(limit: 96 << 20) { 0 }
        let steps = "\(Self.large), delay: 10s, map: length"
        var graph = try Graph(of: config(steps, sources: 1), on: scheduler, memory: budget)
        graph.start { _ in }
        scheduler.advanceTo(5)
        func isAtLimit() throws -> Bool {
            try #require(graph.nodes.first { $0.name == "s" }?.intake).unsettled.isAtMemoryLimit
        }
        #expect(try !isAtLimit(), "five events of two million bytes are below 16 MiB")
        for (count, expected) in [(48, true), (1, false)] {
            let next = try Graph(of: config(steps, sources: count), replacing: graph, on: scheduler, memory: budget)
            next.take(placeOf: graph)
            graph = next
            // The limit falls with the events: one more is accepted.
            scheduler.advanceTo(scheduler.clock + 1)
            #expect(try isAtLimit() == expected, "\(count)")
        }
        graph.dispose()
        scheduler.start()
    }

    /// A list that is larger than the new limit is emitted with the next event.
    @Test func bufferContinuesAfterReloadWithLessMemory() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let budget = MemoryBudget(limit: 96 << 20) { 0 }
        let lines = Cell<[String]>([])
        let steps = "\(Self.large), buffer: { count: 7 }, map: length"
        var graph = try Graph(of: config(steps, sources: 1), on: scheduler, lines: lines, memory: budget)
        graph.start { _ in }
        scheduler.advanceTo(5)
        #expect(lines.value == [])
        let next = try Graph(
            of: config(steps, sources: 48), replacing: graph, on: scheduler, lines: lines, memory: budget)
        next.take(placeOf: graph)
        graph = next
        scheduler.advanceTo(8)
        #expect(lines.value == ["6 6", "7 1", "8 1"])
        graph.dispose()
        scheduler.start()
    }

    /// A lower limit does not stop a source whose events are in a step that waits for another one.
    @Test func lowerMemoryLimitFallsWithMemory() throws {
        let unsettled = UnsettledEventTable()
        func accept() throws -> PipelineEvent {
            try #require(unsettled.accept(SourceEvent("s", sequence: 1, time: 0), 1, memory: 2 << 20))
        }
        var events = try [accept(), accept(), accept()]
        unsettled.setLimit(1000, memoryLimit: 1 << 20)
        #expect(!unsettled.isAtMemoryLimit && !unsettled.requestCallbackIfFull())
        events.append(try accept())
        #expect(unsettled.isAtMemoryLimit && unsettled.requestCallbackIfFull())
        events.removeLast(2)
        #expect(!unsettled.isAtMemoryLimit)
        events.append(try accept())
        #expect(unsettled.isAtMemoryLimit)
        events = []
        events.append(try accept())
        #expect(unsettled.isAtMemoryLimit, "2 MiB of 1")
        unsettled.setLimit(1000, memoryLimit: 16 << 20)
        #expect(!unsettled.isAtMemoryLimit)
        events = []
    }

    /// If the process has no memory left, an event is lost with a record, and the others continue.
    @Test func valueBeyondMemoryIsError() throws {
        let used = Cell(0)
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Cell<[String]>([])
        let failures = try errors {
            let graph = Graph(
                try Plan.read(
                    config(#"map: 'if .tick == 1 then "x" * 1000000 else "small" end', map: length"#).utf8,
                    file: "t.yaml"),
                generation: { 1 },
                host: .inline(memory: MemoryBudget(limit: 100 << 20) { used.value }),
                records: RecordLog(scheduler),
                printLine: { line, receipt in
                    lines.append(line)
                    receipt.end(.written)
                }, makeScheduler: { _ in scheduler })
            graph.start { _ in }
            used.update { $0 = 101 << 20 }
            scheduler.advanceTo(3)
            graph.dispose()
        }
        scheduler.start()
        #expect(lines.value == ["5", "5"])
        #expect(failures.count == 1)
        #expect(
            failures.first.map { "\($0)" }?.contains(
                "no memory for its result of 1 MiB: the daemon uses 101 MiB, and large values are refused above 100 MiB"
            ) == true, "\(failures)")
    }

    // MARK: - Permits

    /// The size of a value is only known when it is an event.
    @Test func valuesInFlightAreBounded() async throws {
        let unsettled = UnsettledEventTable(limit: 1000)
        let entered = Cell(0)
        let permits = InFlightPermits(unsettled) { Issue.record("inFlight is not reached") }
        let thread = Thread {
            for _ in 0..<40 {
                _ = permits.wait()
                entered.update { $0 += 1 }
            }
        }
        try await eventually("sixteen have entered") { entered.value == 16 }
        for _ in 0..<7 { permits.arrived() }
        #expect(entered.value == 16)
        permits.arrived()
        try await eventually("eight more have entered") { entered.value == 24 }
        try await eventually("all have entered") {
            permits.arrived()
            return entered.value == 40
        }
        thread.join()
        permits.end()
    }
}
