import Glibc
import RxEngine
import RxEngineTest
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct StdoutSinkTests {
    /// A graph whose lines are written when a test says so.
    private final class Bench {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Box<[(line: String, receipt: LineReceipt)]>([])
        let records: RecordLog
        private(set) var graph: Graph?

        init(_ sink: String) throws {
            records = RecordLog(scheduler)
            graph = Graph(
                try Plan.read(
                    """
                    sources: { tick: { interval: 10s } }
                    pipelines: { p: { from: tick, steps: [map: .tick], to: [\(sink)] } }
                    """.utf8, file: "t.yaml"), generation: { 1 }, host: Host(), records: records,
                printLine: { [lines] line, receipt in lines.append((line, receipt)) },
                makeScheduler: { [scheduler] _ in scheduler })
            graph?.start { _ in }
        }

        /// Writes the lines that wait, or fails to.
        ///
        /// - Returns: these lines.
        func write(_ error: SystemError? = nil) -> [String] {
            let lines = lines.value
            self.lines.update { $0 = [] }
            for (_, receipt) in lines { receipt.written(error) }
            return lines.map(\.line)
        }

        func drop() {
            graph?.dispose()
            graph = nil
            lines.update { $0 = [] }
            scheduler.start()
        }
    }

    @Test func eventIsUnsettledUntilItsLineIsWritten() throws {
        let bench = try Bench("stdout")
        bench.scheduler.advanceTo(45)
        // One is being written, and the others wait for it.
        #expect(bench.lines.value.map(\.line) == ["0"])
        #expect(bench.graph?.unsettledCounts == ["tick": 4] && bench.graph?.flow.queued == 4)
        #expect(bench.write() == ["0"] && bench.graph?.unsettledCounts == ["tick": 3])
        #expect(bench.graph?.isAtRest == false)
        #expect(bench.write() == ["1", "2", "3"] && bench.graph?.unsettledCounts == ["tick": 0])
        #expect(bench.graph?.isAtRest == true)
        bench.drop()
    }

    @Test func linesThatWaitAtStopAreUnsettled() throws {
        let bench = try Bench("stdout")
        bench.scheduler.advanceTo(35)
        bench.graph?.close()
        bench.graph?.freeze()
        bench.graph?.dispose()
        #expect(bench.graph?.unsettled.map(\.value["tick"]) == [0, 1, 2])
        #expect(bench.lines.value.count == 1 && bench.lines.value.allSatisfy(\.receipt.isCancelled))
        #expect(
            bench.records.lines(.sink) == [
                "35 notice p: stdout stopped with 3 unfinished events, kept: tick:0, tick:1, tick:2"
            ])
        bench.drop()
    }

    @Test func lostLinesAreRecorded() throws {
        let bench = try Bench("stdout")
        let error = SystemError(ENOSPC, "writing to it")
        for (time, error) in [(15, error), (25, error), (35, nil), (45, nil)] as [(TestTime, SystemError?)] {
            bench.scheduler.advanceTo(time)
            _ = bench.write(error)
        }
        #expect(
            bench.records.lines(.sink) == [
                "15 err p: stdout failed: \(error); lines are dropped until one can be written again",
                "35 notice p: stdout can be written to again; 2 lines were dropped",
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
