import ConfigTestSupport
import Glibc
import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct PipelineRunTests {
    private let folder = SinkFolder()
    private let source = PublishSubject<PipelineEvent>()
    private let records = Box<[Record]>([])
    private let account = Resources.Account("p")
    private let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "p")

    private let allotment = Box(SinkAllotment())

    /// - Parameters:
    ///   - starts: whether it starts at once.
    ///   - before: the run that it replaces.
    ///   - isSameNode: whether it takes events from the same node as that.
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
        allotment.update { $0 = $0.next(for: sinks.map { (kind: $0.name, content: $0.content) }) }
        let node =
            before.flatMap { isSameNode ? $0.node : nil }
            ?? Node("p", "", inputs: [], in: Component(scheduler), account, source)
        let run = PipelineRun(node, sinks, allotment.value, RetiredRuns(), context, inPlaceOf: before)
        if starts { run.start() }
        return run
    }

    private func all(_ kind: RecordKind) -> [Record] { records.value.filter { $0.kind == kind } }

    private func tell(_ values: JSON...) {
        for value in values { source.onNext(PipelineEvent(value, source: "s", sequence: 0, time: 0)) }
    }

    /// Runs an action on the pipeline's scheduler, and waits for the work that it schedules there.
    private func inATurn(_ action: @escaping @Sendable () -> Void) async throws {
        let isDone = Box(false)
        scheduler.perform { [scheduler] in
            action()
            scheduler.perform { isDone.update { $0 = true } }
        }
        try await eventually("its turn has come") { isDone.value }
    }

    private func drain(_ run: PipelineRun) async throws {
        let isDone = Box(0)
        run.drain { isDone.update { $0 += 1 } }
        try await eventually("drained: \(run.flow.queued) left") { isDone.value == 1 }
    }

    @Test func drainingLetsTheSinksFinishWhatTheyHave() async throws {
        let out = "\(folder.path)/out"
        let run = try run(
            "journal: '{{.}}'", "file: \(folder.path)/a",
            "command: { run: [sh, -c, 'until [ -e \(folder.path)/go ]; do sleep 0.01; done; cat >> \(out)'] }")
        tell(1, 2)
        #expect((2...4).contains(run.flow.queued) && run.dropped == 0)
        close(open("\(folder.path)/go", O_CREAT | O_WRONLY, 0o600))
        let isDone = Box(false)
        run.drain { isDone.update { $0 = true } }
        tell(3)
        try await eventually("drained") { isDone.value }
        #expect(folder.text("a") == "1\n2\n" && folder.text("out") == "1\n2\n")
        #expect(all(.event).map(\.message) == ["1", "2"])
        #expect(run.flow.queued == 0 && run.dropped == 0)
        run.dispose()
        #expect(all(.sink).map(\.priority) == [.info, .info])
    }

    @Test func disposingGivesUpAndSaysSo() async throws {
        let run = try run("command: { run: [sh, -c, 'echo x >> \(folder.path)/out; exec sleep 1000'] }", "journal")
        tell(1, 2, 3)
        let isDone = Box(0)
        run.drain { isDone.update { $0 += 1 } }
        try await eventually("it runs") { folder.text("out") == "x\n" }
        #expect(isDone.value == 0 && run.flow.queued == 3)
        run.dispose()
        // What drains it may only now come to its turn.
        try await eventually("it is drained") { isDone.value == 1 }
        #expect(run.flow.queued == 0 && run.dropped == 3)
        run.dispose()
        let told = all(.sink)
        #expect(
            told.map(\.message) == [
                "p: command stopped with 3 unfinished events, lost: s:0, s:0, s:0"
            ])
        #expect(told.first?.priority == .warning && told.first?[.dropped] == "3" && told.first?.generation == 3)
    }

    @Test func disposingKeepsEventsForTheNextProcess() async throws {
        let run = try run("command: { run: [sh, -c, 'echo x >> \(folder.path)/out; exec sleep 1000'] }")
        tell(1, 2, 3, 4)
        try await eventually("it runs") { folder.text("out") == "x\n" }
        run.dispose(keepsEvents: true)
        let told = all(.sink)
        #expect(
            told.map(\.message) == [
                "p: command stopped with 4 unfinished events, kept: s:0, s:0, s:0 and 1 more"
            ])
        #expect(told.first?.priority == .notice && told.first?[.unsettled] == "4" && told.first?[.dropped] == nil)
    }

    @Test(arguments: [("sleep 0.01; cat >> out", 0), ("exec sleep 1000", 1)]) func sinksHaveSoLongToFinish(
        script: String, recorded: Int
    ) async throws {
        let run = try run("command: { run: [sh, -c, '\(script)'], directory: \(folder.path) }")
        tell(1)
        let isDone = Box(0)
        run.retire(within: recorded == 0 ? .seconds(1000) : .milliseconds(50)) { isDone.update { $0 += 1 } }
        try await eventually("it has stopped") { isDone.value == 1 }
        #expect(
            all(.sink).count { $0.priority == .warning } == recorded && run.dropped == recorded && run.flow.queued == 0)
        #expect(folder.text("out") == (recorded == 0 ? "1\n" : ""))
    }

    @Test func replacedSinkPassesItsQueueToTheNewOneInOrder() async throws {
        func config(_ name: String) -> String {
            """
            command: { run: [sh, -c, 'printf "\(name) " >> out; cat >> out; until [ -e \(name) ]; do sleep 0.01; done'],
                       directory: \(folder.path) }
            """
        }
        let old = try run(config("old"))
        tell(1, 2, 3)
        try await eventually("it is at the first") { folder.text("out") == "old 1\n" }
        let new = try run(config("new"), "journal: '{{.}}'", starts: false, inPlaceOf: old)
        try await inATurn {
            new.start(inPlaceOf: old)
            old.retire(within: .seconds(1000), into: new)
        }
        tell(4)
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

    @Test func workCancelledAtTheDeadlineIsRepeatedByTheNewSink() async throws {
        let old = try run("command: { run: [sh, -c, 'cat >> out; exec sleep 1000'], directory: \(folder.path) }")
        tell(1, 2)
        try await eventually("it is at the first") { folder.text("out") == "1\n" }
        let new = try run(
            "command: { run: [sh, -c, 'cat >> out'], directory: \(folder.path) }", starts: false, inPlaceOf: old)
        try await inATurn {
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
        tell(1, 2, 3)
        try await eventually("it is at the first") { folder.text("out") == "1\n" }
        let new = try run(
            "command: { run: [sh, -c, 'cat >> out'], directory: \(folder.path) }", starts: false, inPlaceOf: old)
        try await inATurn {
            new.start(inPlaceOf: old)
            old.retire(within: .zero, into: new)
        }
        try await eventually("all is done: \(folder.text("out"))") { folder.text("out") == "1\n1\n2\n3\n" }
        try await drain(new)
        new.dispose()
        #expect(old.dropped == 0 && new.dropped == 0)
    }

    /// The second is replaced before it has started.
    @Test func sinkReplacedTwiceKeepsTheOrder() async throws {
        func config(_ name: String) -> String {
            "command: { run: [sh, -c, 'printf \(name) >> out; cat >> out; until [ -e go ]; do sleep 0.01; done'], directory: \(folder.path) }"
        }
        var runs: [PipelineRun] = []
        for number in 0..<3 { runs.append(try run(config("\(number)-"), starts: false, inPlaceOf: runs.last)) }
        try await inATurn { [runs] in runs[0].start() }
        tell(1)
        try await eventually("it is at the first") { folder.text("out") == "0-1\n" }
        for number in 1...2 {
            try await inATurn { [runs] in
                runs[number].start(inPlaceOf: runs[number - 1])
                runs[number - 1].retire(within: .seconds(1000), into: runs[number])
            }
            tell(.number(Double(number + 1)))
        }
        close(open("\(folder.path)/go", O_CREAT | O_WRONLY, 0o600))
        try await drain(runs[2])
        #expect(folder.text("out") == "0-1\n2-2\n2-3\n")
        #expect(runs.allSatisfy { $0.dropped == 0 && $0.flow.queued == 0 })
        for run in runs { run.dispose() }
    }

    /// Only the changed sinks are handed over, and the removed ones end.
    @Test func unchangedSinkIsCarriedOverWithItsRunningWork() async throws {
        func command(_ name: String) -> String {
            "command: { run: [sh, -c, 'cat >> \(name); until [ -e go-\(name) ]; do sleep 0.01; done'], directory: \(folder.path) }"
        }
        let old = try run(command("a"), command("b"), "journal: 'old {{.}}'", command("c"))
        tell(1, 2)
        try await eventually("they are at the first") { ["a", "b", "c"].allSatisfy { folder.text($0) == "1\n" } }
        let new = try run(
            "journal: 'new {{.}}'", command("b"), "stdout", command("a"), starts: false, inPlaceOf: old,
            isSameNode: true)
        #expect(new.flow.queued == 0)
        let isRetired = Box(false)
        try await inATurn {
            new.start(inPlaceOf: old)
            old.retire(within: .milliseconds(1), into: new) { isRetired.update { $0 = true } }
        }
        try await eventually("the removed one has ended") { isRetired.value }
        #expect(new.flow.queued == 4 && old.flow.queued == 0 && old.dropped == 2)
        tell(3)
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
    @Test func disposedSuccessorLeavesTheSinksAlone() async throws {
        let old = try run("command: { run: [sh, -c, 'cat >> out'], directory: \(folder.path) }")
        let new = try run(
            "command: { run: [sh, -c, 'cat >> out'], directory: \(folder.path) }", "journal: '{{.}}'", starts: false,
            inPlaceOf: old, isSameNode: true)
        new.dispose()
        tell(1)
        try await drain(old)
        #expect(folder.text("out") == "1\n" && old.dropped == 0)
        old.dispose()
    }

    @Test func aSinkThatFailsKeepsNobodyElseFromAnEvent() async throws {
        let run = try run("journal: '{{error(\"no\")}}'", "command: { run: ['{{.a.b}}'] }", "journal: '{{.}}'")
        tell(5)
        #expect(all(.event).map(\.message) == ["5"])
        #expect(all(.sink).map { $0[.sink] } == ["journal", "command"])
        #expect(all(.sink).first?.message == "p: journal failed: t.yaml:1:13: no")
        try await drain(run)
        run.dispose()
    }

    @Test func oneThatIsDisposedIsDrained() async throws {
        let run = try run("file: \(folder.path)/a")
        run.dispose()
        tell(1)
        try await drain(run)
        #expect(folder.text("a") == "")
    }

    @Test func whatTheSinksDoIsChargedToThePipeline() async throws {
        let run = try run("command: { run: [sleep, '1000'] }")
        let idle = account.count(of: .subscription)
        tell(1)
        #if TRACE_RESOURCES
        #expect(idle > 0 && account.count(of: .subscription) > idle)
        #endif
        run.dispose()
        try await eventually("all is gone") { account.count(of: .subscription) == 0 }
    }
}
