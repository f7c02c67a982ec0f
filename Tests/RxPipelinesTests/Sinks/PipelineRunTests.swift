import ConfigTestSupport
import Glibc
import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct PipelineRunTests {
    private let folder = TemporaryDirectory()
    private let source = PublishSubject<PipelineEvent>()
    private let records = Cell<[Record]>([])
    private let account = Resources.Account("p")
    private let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "p")

    private let sinkNames = Cell(SinkNames())

    /// - Parameters:
    ///   - starts: whether the run starts at once.
    ///   - before: the run that it replaces.
    ///   - isSameNode: whether it takes events from the same node as that run.
    private func run(
        _ configs: String..., starts: Bool = true, inPlaceOf before: PipelineRun? = nil, isSameNode: Bool = false
    ) throws -> PipelineRun {
        let reading = ReadingContext()
        let sinks = try configs.compactMap { try FieldType<PlannedSink>.sink.read(yaml($0), reading) }
        try reading.report.throwIfAny()
        let context = SinkContext(
            pipeline: "p", currentGeneration: { 3 }, host: Host(), records: SinkRecords(records),
            printLine: { $1.end(.written) }
        )
        sinkNames.update { $0 = $0.next(for: sinks.map { (kind: $0.name, content: $0.content) }) }
        let node =
            before.flatMap { isSameNode ? $0.node : nil }
            ?? Node("p", "", inputs: [], in: Component(scheduler), account, source)
        let run = PipelineRun(node, sinks, sinkNames.value, RetiredRuns(), context, inPlaceOf: before)
        if starts { run.start() }
        return run
    }

    private func all(_ kind: RecordKind) -> [Record] { records.value.filter { $0.kind == kind } }

    private func emit(_ values: JSON...) {
        for value in values { source.onNext(PipelineEvent(value, source: "s", sequence: 0, time: 0)) }
    }

    /// Runs an action on the pipeline's scheduler, and waits for the work that it schedules there.
    private func onScheduler(_ action: @escaping @Sendable () -> Void) async throws {
        let isDone = Cell(false)
        scheduler.perform { [scheduler] in
            action()
            scheduler.perform { isDone.update { $0 = true } }
        }
        try await eventually("the queued run was started") { isDone.value }
    }

    private func drain(_ run: PipelineRun) async throws {
        let isDone = Cell(0)
        run.drain { isDone.update { $0 += 1 } }
        try await eventually("drained: \(run.flow.queued) left") { isDone.value == 1 }
    }

    @Test func drainLetsSinksFinishTheirEvents() async throws {
        let out = "\(folder.path)/out"
        let run = try run(
            "journal: '{{.}}'", "file: \(folder.path)/a",
            "command: { run: [sh, -c, 'until [ -e \(folder.path)/go ]; do sleep 0.01; done; cat >> \(out)'] }")
        emit(1, 2)
        #expect((2...4).contains(run.flow.queued) && run.dropped == 0)
        close(open("\(folder.path)/go", O_CREAT | O_WRONLY, 0o600))
        let isDone = Cell(false)
        run.drain { isDone.update { $0 = true } }
        emit(3)
        try await eventually("drained") { isDone.value }
        #expect(folder.text("a") == "1\n2\n" && folder.text("out") == "1\n2\n")
        #expect(all(.event).map(\.message) == ["1", "2"])
        #expect(run.flow.queued == 0 && run.dropped == 0)
        run.dispose()
        #expect(all(.sink).map(\.priority) == [.info, .info])
    }

    @Test func disposeDropsAndRecordsEvents() async throws {
        let run = try run("command: { run: [sh, -c, 'echo x >> \(folder.path)/out; exec sleep 1000'] }", "journal")
        emit(1, 2, 3)
        let isDone = Cell(0)
        run.drain { isDone.update { $0 += 1 } }
        try await eventually("the command runs") { folder.text("out") == "x\n" }
        #expect(isDone.value == 0 && run.flow.queued == 3)
        run.dispose()
        // Its drain may only run now.
        try await eventually("the run is drained") { isDone.value == 1 }
        #expect(run.flow.queued == 0 && run.dropped == 3)
        run.dispose()
        let sinkRecords = all(.sink)
        #expect(
            sinkRecords.map(\.message) == [
                "p: command stopped with 3 unfinished events, lost: s:0, s:0, s:0"
            ])
        #expect(
            sinkRecords.first?.priority == .warning && sinkRecords.first?[.dropped] == "3"
                && sinkRecords.first?.generation == 3)
    }

    @Test func disposeKeepsEventsForNextProcess() async throws {
        let run = try run("command: { run: [sh, -c, 'echo x >> \(folder.path)/out; exec sleep 1000'] }")
        emit(1, 2, 3, 4)
        try await eventually("the command runs") { folder.text("out") == "x\n" }
        run.dispose(keepsEvents: true)
        let sinkRecords = all(.sink)
        #expect(
            sinkRecords.map(\.message) == [
                "p: command stopped with 4 unfinished events, kept: s:0, s:0, s:0 and 1 more"
            ])
        #expect(
            sinkRecords.first?.priority == .notice && sinkRecords.first?[.unsettled] == "4"
                && sinkRecords.first?[.dropped] == nil)
    }

    @Test(arguments: [("sleep 0.01; cat >> out", 0), ("exec sleep 1000", 1)]) func drainTimeIsLimited(
        script: String, recorded: Int
    ) async throws {
        let run = try run("command: { run: [sh, -c, '\(script)'], directory: \(folder.path) }")
        emit(1)
        let isDone = Cell(0)
        run.retire(within: recorded == 0 ? .seconds(1000) : .milliseconds(50)) { isDone.update { $0 += 1 } }
        try await eventually("the run has stopped") { isDone.value == 1 }
        #expect(
            all(.sink).count { $0.priority == .warning } == recorded && run.dropped == recorded && run.flow.queued == 0)
        #expect(folder.text("out") == (recorded == 0 ? "1\n" : ""))
    }

    @Test func replacedSinkPassesQueueToNewSinkInOrder() async throws {
        func config(_ name: String) -> String {
            """
            command: { run: [sh, -c, 'printf "\(name) " >> out; cat >> out; until [ -e \(name) ]; do sleep 0.01; done'],
                       directory: \(folder.path) }
            """
        }
        let old = try run(config("old"))
        emit(1, 2, 3)
        try await eventually("the first command runs") { folder.text("out") == "old 1\n" }
        let new = try run(config("new"), "journal: '{{.}}'", starts: false, inPlaceOf: old)
        try await onScheduler {
            new.start(inPlaceOf: old)
            old.retire(within: .seconds(1000), into: new)
        }
        emit(4)
        #expect(all(.event).map(\.message) == ["4"])
        #expect(new.flow.queued == 1 && old.flow.queued == 3 && folder.text("out") == "old 1\n")
        for name in ["new", "old"] { close(open("\(folder.path)/\(name)", O_CREAT | O_WRONLY, 0o600)) }
        try await eventually("all is done: \(folder.text("out"))") {
            folder.text("out") == "old 1\nnew 2\nnew 3\nnew 4\n"
        }
        try await drain(new)
        #expect(old.flow.queued == 0 && old.dropped == 0 && new.dropped == 0)
        new.dispose()
        #expect(all(.sink).allSatisfy { $0.priority == .info })
    }

    @Test func workCancelledAtDeadlineIsRepeatedByNewSink() async throws {
        let old = try run("command: { run: [sh, -c, 'cat >> out; exec sleep 1000'], directory: \(folder.path) }")
        emit(1, 2)
        try await eventually("the first command runs") { folder.text("out") == "1\n" }
        let new = try run(
            "command: { run: [sh, -c, 'cat >> out'], directory: \(folder.path) }", starts: false, inPlaceOf: old)
        try await onScheduler {
            new.start(inPlaceOf: old)
            old.retire(within: .milliseconds(10), into: new)
        }
        try await eventually("all is done: \(folder.text("out"))") { folder.text("out") == "1\n1\n2\n" }
        try await drain(new)
        new.dispose()
        #expect(
            all(.sink).filter { $0.priority != .info }.map(\.message) == [
                "p: command stopped with 2 unfinished events, passed to the sink that replaces this one: s:0, s:0"
            ])
    }

    @Test func replacingWithoutDrainTimeLosesNothing() async throws {
        let old = try run("command: { run: [sh, -c, 'cat >> out; exec sleep 1000'], directory: \(folder.path) }")
        emit(1, 2, 3)
        try await eventually("the first command runs") { folder.text("out") == "1\n" }
        let new = try run(
            "command: { run: [sh, -c, 'cat >> out'], directory: \(folder.path) }", starts: false, inPlaceOf: old)
        try await onScheduler {
            new.start(inPlaceOf: old)
            old.retire(within: .zero, into: new)
        }
        try await eventually("all is done: \(folder.text("out"))") { folder.text("out") == "1\n1\n2\n3\n" }
        try await drain(new)
        new.dispose()
        #expect(old.dropped == 0 && new.dropped == 0)
    }

    /// The second run is replaced before it has started.
    @Test func sinkReplacedTwiceKeepsOrder() async throws {
        func config(_ name: String) -> String {
            "command: { run: [sh, -c, 'printf \(name) >> out; cat >> out; until [ -e go ]; do sleep 0.01; done'], directory: \(folder.path) }"
        }
        var runs: [PipelineRun] = []
        for number in 0..<3 { runs.append(try run(config("\(number)-"), starts: false, inPlaceOf: runs.last)) }
        try await onScheduler { [runs] in runs[0].start() }
        emit(1)
        try await eventually("the first command runs") { folder.text("out") == "0-1\n" }
        for number in 1...2 {
            try await onScheduler { [runs] in
                runs[number].start(inPlaceOf: runs[number - 1])
                runs[number - 1].retire(within: .seconds(1000), into: runs[number])
            }
            emit(.number(Double(number + 1)))
        }
        close(open("\(folder.path)/go", O_CREAT | O_WRONLY, 0o600))
        try await drain(runs[2])
        #expect(folder.text("out") == "0-1\n2-2\n2-3\n")
        #expect(runs.allSatisfy { $0.dropped == 0 && $0.flow.queued == 0 })
        for run in runs { run.dispose() }
    }

    /// Only the changed sinks are handed over, and the removed sinks end.
    @Test func unchangedSinkIsCarriedOverWithItsRunningWork() async throws {
        func command(_ name: String) -> String {
            "command: { run: [sh, -c, 'cat >> \(name); until [ -e go-\(name) ]; do sleep 0.01; done'], directory: \(folder.path) }"
        }
        let old = try run(command("a"), command("b"), "journal: 'old {{.}}'", command("c"))
        emit(1, 2)
        try await eventually("all first commands run") { ["a", "b", "c"].allSatisfy { folder.text($0) == "1\n" } }
        let new = try run(
            "journal: 'new {{.}}'", command("b"), "stdout", command("a"), starts: false, inPlaceOf: old,
            isSameNode: true)
        #expect(new.flow.queued == 0)
        let isRetired = Cell(false)
        try await onScheduler {
            new.start(inPlaceOf: old)
            old.retire(within: .milliseconds(1), into: new) { isRetired.update { $0 = true } }
        }
        try await eventually("the removed sink has ended") { isRetired.value }
        #expect(new.flow.queued == 4 && old.flow.queued == 0 && old.dropped == 2)
        emit(3)
        #expect(folder.text("a") == "1\n" && folder.text("b") == "1\n")
        #expect(all(.event).map(\.message) == ["old 1", "old 2", "new 3"])
        for name in ["a", "b"] { close(open("\(folder.path)/go-\(name)", O_CREAT | O_WRONLY, 0o600)) }
        try await drain(new)
        #expect(folder.text("a") == "1\n2\n3\n" && folder.text("b") == "1\n2\n3\n" && folder.text("c") == "1\n")
        new.dispose()
        #expect(
            all(.sink).filter { $0.priority != .info }.map(\.message) == [
                "p: command-3 stopped with 2 unfinished events, lost: s:0, s:0"
            ])
    }

    /// A run that never takes over ends nothing.
    @Test func disposedReplacementKeepsSinks() async throws {
        let old = try run("command: { run: [sh, -c, 'cat >> out'], directory: \(folder.path) }")
        let new = try run(
            "command: { run: [sh, -c, 'cat >> out'], directory: \(folder.path) }", "journal: '{{.}}'", starts: false,
            inPlaceOf: old, isSameNode: true)
        new.dispose()
        emit(1)
        try await drain(old)
        #expect(folder.text("out") == "1\n" && old.dropped == 0)
        old.dispose()
    }

    @Test func failedSinkDoesNotAffectOtherSinks() async throws {
        let run = try run("journal: '{{error(\"no\")}}'", "command: { run: ['{{.a.b}}'] }", "journal: '{{.}}'")
        emit(5)
        #expect(all(.event).map(\.message) == ["5"])
        #expect(all(.sink).map { $0[.sink] } == ["journal", "command"])
        #expect(all(.sink).first?.message == "p: journal failed: t.yaml:1:13: no")
        try await drain(run)
        run.dispose()
    }

    @Test func disposedRunIsDrained() async throws {
        let run = try run("file: \(folder.path)/a")
        run.dispose()
        emit(1)
        try await drain(run)
        #expect(folder.text("a") == "")
    }

    @Test func workOfSinksIsChargedToPipeline() async throws {
        let run = try run("command: { run: [sleep, '1000'] }")
        let idle = account.count(of: .subscription)
        emit(1)
        #if TRACE_RESOURCES
        #expect(idle > 0 && account.count(of: .subscription) > idle)
        #endif
        run.dispose()
        try await eventually("every object is released") { account.count(of: .subscription) == 0 }
    }
}
