import Glibc
import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct StdoutSinkTests {
    /// A graph whose lines are written on a test's command.
    private final class Bench {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Cell<[(line: String, receipt: WriteReceipt)]>([])
        let records: RecordLog
        private(set) var graph: Graph?

        init(_ sink: String, onError: String = "restart") throws {
            records = RecordLog(scheduler)
            graph = try makeGraph(sink, onError: onError)
            graph?.start { _ in }
        }

        private func makeGraph(
            _ sink: String, onError: String = "restart", replacing old: Graph? = nil
        ) throws -> Graph {
            Graph(
                try Plan.read(
                    """
                    sources: { tick: { interval: 10s } }
                    pipelines: { p: { from: tick, steps: [map: .tick], to: [\(sink)], onError: \(onError) } }
                    """.utf8, file: "t.yaml"), replacing: old, generation: { 1 },
                host: .inline(), records: records,
                printLine: { [lines] line, receipt in lines.append((line, receipt)) },
                makeScheduler: { [scheduler] _ in scheduler })
        }

        /// Writes the first of the waiting lines, or fails to.
        ///
        /// - Returns: the lines that were to be written.
        func write(_ count: Int = .max, _ error: SystemError? = nil) -> [String] {
            let lines = lines.value
            self.lines.update { $0 = Array(lines.dropFirst(count)) }
            return lines.prefix(count).filter { _, receipt in
                guard receipt.begin() else { return false }
                receipt.end(error.map { .failed($0) } ?? .written)
                return true
            }.map(\.line)
        }

        /// Replaces the sink.
        func reload(_ sink: String) throws {
            let old = graph
            graph = try makeGraph(sink, replacing: old)
            graph?.start { [graph] _ in
                if let old { graph?.replace(old, drain: .seconds(5)) {} }
            }
        }

        func drop() {
            graph?.dispose()
            graph = nil
            lines.update { $0 = [] }
            scheduler.start()
        }
    }

    @Test func eventIsUnsettledUntilLineIsWritten() throws {
        let bench = try Bench("stdout")
        bench.scheduler.advanceTo(45)
        // One line is being written, and the others wait for it.
        #expect(bench.lines.value.map(\.line) == ["0"])
        #expect(bench.graph?.unsettledCounts == ["tick": 4] && bench.graph?.flow.queued == 4)
        #expect(bench.write() == ["0"] && bench.graph?.unsettledCounts == ["tick": 3])
        #expect(bench.graph?.isAtRest == false)
        #expect(bench.write() == ["1", "2", "3"] && bench.graph?.unsettledCounts == ["tick": 0])
        #expect(bench.graph?.isAtRest == true)
        bench.drop()
    }

    @Test func waitingLinesAreUnsettledAtStop() throws {
        let bench = try Bench("stdout")
        bench.scheduler.advanceTo(35)
        bench.graph?.close()
        bench.graph?.freeze()
        bench.graph?.dispose()
        #expect(bench.graph?.unsettled.map(\.value["tick"]) == [0, 1, 2])
        #expect(bench.lines.value.count == 1 && bench.write() == [])
        #expect(
            bench.records.lines(.sink) == [
                "35 notice p: stdout stopped with 3 unfinished events, kept: tick:0:0, tick:0:1, tick:0:2"
            ])
        bench.drop()
    }

    /// Some lines of a batch are written, one may be being written, and the others wait: a stop leaves the waiting
    /// lines to the next process, a reload leaves them to the sink that replaces this one.
    @Test(arguments: [0, 1, 3, 5], [false, true])
    func writtenLineFinishesItsEvent(written: Int, isBeingWritten: Bool) throws {
        let bench = try Bench("stdout")
        bench.scheduler.advanceTo(65)
        #expect(bench.write() == ["0"] && bench.lines.value.count == 5)
        #expect(bench.write(written) == (1...5).prefix(written).map { "\($0)" })
        #expect(bench.graph?.unsettledCounts == ["tick": 5 - written])
        let next = isBeingWritten ? bench.lines.value.first : nil
        #expect(next?.receipt.begin() != false)
        bench.graph?.close()
        bench.graph?.freeze()
        bench.graph?.dispose()
        // A line that is completely written while the daemon stops is finished; a truncated line is redelivered.
        let cut = (1...5).dropFirst(written).map { JSON.number(Double($0)) }
        #expect(bench.graph?.unsettled.map(\.value["tick"]) == cut)
        func left() -> [JSON?]? {
            bench.graph?.unsettled.filter { $0.progress.done["p/stdout"] == nil }.map(\.value["tick"])
        }
        #expect(left() == cut)
        next?.receipt.end(.written)
        #expect(left() == Array(cut.dropFirst(next == nil ? 0 : 1)))
        #expect(bench.write() == [])
        bench.drop()
    }

    @Test(arguments: [0, 1, 3], [false, true])
    func reloadRepeatsNoWrittenLine(written: Int, isBeingWritten: Bool) throws {
        let bench = try Bench("stdout")
        bench.scheduler.advanceTo(45)
        #expect(bench.write() == ["0"])
        #expect(bench.write(written).count == written)
        let next = isBeingWritten && written < 3 ? bench.lines.value.first : nil
        #expect(next?.receipt.begin() != false)
        let old = bench.lines.value
        bench.lines.update { $0 = [] }
        try bench.reload("stdout: { queue: 9 }")
        // The drain of 5 s has ended.
        bench.scheduler.advanceTo(52)
        #expect(bench.lines.value.isEmpty == (next != nil))
        next?.receipt.end(.written)
        bench.scheduler.advanceTo(53)
        #expect(old.allSatisfy { !$0.receipt.begin() })
        var lines: [String] = []
        while !bench.lines.value.isEmpty { lines += bench.write() }
        #expect(lines == (1...4).dropFirst(written + (next == nil ? 0 : 1)).map { "\($0)" })
        bench.drop()
    }

    /// Like the lines that a file refuses.
    @Test func refusedLinesFailTheirEvents() throws {
        let bench = try Bench("stdout", onError: "{ to: { journal: '{{.sink}} {{.value}}: {{.error}}' } }")
        bench.scheduler.advanceTo(35)
        let error = SystemError(ENOSPC, "writing to it")
        #expect(bench.write() == ["0"] && bench.write(1, error) == ["1"])
        bench.scheduler.advanceTo(36)
        #expect(bench.write() == ["2"])
        bench.scheduler.advanceTo(37)
        #expect(
            bench.records.lines(.sink, .event) == [
                "35 err p: stdout failed: \(error)", "35 info stdout 1: \(error)",
                "36 notice p: stdout works again; 1 line was refused",
            ])
        #expect(bench.graph?.unsettledCounts == ["tick": 0] && bench.graph?.flow.dropped == 0)
        bench.drop()
    }

    @Test func lostLinesAreRecorded() throws {
        let bench = try Bench("stdout")
        let error = SystemError(ENOSPC, "writing to it")
        for (time, error) in [(15, error), (25, error), (35, nil), (45, nil)] as [(TestTime, SystemError?)] {
            bench.scheduler.advanceTo(time)
            _ = bench.write(.max, error)
        }
        #expect(
            bench.records.lines(.sink) == [
                "15 err p: stdout failed: \(error)", "25 err p: stdout failed: \(error)",
                "35 notice p: stdout works again; 2 lines were dropped",
            ])
        let records = bench.records.all(.sink)
        #expect(records.allSatisfy { $0[.pipeline] == "p" && $0[.sink] == "stdout" } && records.last?[.dropped] == "2")
        #expect(bench.graph?.flow.dropped == 2 && bench.graph?.unsettledCounts == ["tick": 0])
        bench.drop()
    }

    @Test func queueMayBeBounded() throws {
        let bench = try Bench("stdout: { queue: 2, overflow: dropNewest }")
        bench.scheduler.advanceTo(55)
        #expect(bench.write() == ["0"] && bench.write() == ["1", "2"] && bench.graph?.flow.dropped == 2)
        #expect(
            bench.records.lines(.sink) == [
                "40 warning p: stdout queue full: 2 events are waiting; new events are dropped from now on",
                "55 warning p: stdout dropped 2 events",
            ])
        bench.drop()
    }
}
