import Foundation
import RxEngine
import RxPipelines
import RxStore
import TestSupport
import Testing

@testable import rxwatchd

/// The fields that count unsettled, spooled and lost events.
@Suite(.balanced) struct DeliveryRecordTests {
    private let state: StateFolder
    private let records = Cell<[Record]>([])
    private let recorder: Recorder
    private let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.test")

    init() throws {
        state = try StateFolder()
        recorder = Recorder(
            outbox: RecordOutbox(writesToJournal: false, print: { [records] in records.append($0) }),
            generation: GenerationNumber())
    }

    private func handover(in directory: String?) -> SnapshotHandover {
        SnapshotHandover(in: StateDirectory(path: directory, recorder), savingOn: scheduler)
    }

    private func events(of sources: String...) -> Snapshot {
        Snapshot(
            events: sources.enumerated().map { number, source in
                UnsettledEvent(SourceEvent(source, run: "r", sequence: UInt64(number), time: 1), .null)
            })
    }

    /// The written records, as `priority phase: message` and those of these fields that they have.
    private func recorded(_ fields: RecordField...) -> [String] {
        #expect(recorder.outbox.drain(within: .seconds(10)))
        return records.value.map { record in
            let counts = fields.compactMap { field in record[field].map { " \(field.rawValue)=\($0)" } }
            return "\(record.priority) \(record[.phase] ?? "-"): \(record.message)" + counts.joined()
        }
    }

    private static func plan() throws -> Plan {
        try Plan.read(
            """
            sources: { a: { interval: 1h } }
            pipelines: { p: { from: a, to: [command: { run: ["true"], queue: { disk: 1MiB } }] } }
            """.utf8, file: "t.yaml")
    }

    @Test func stopAndStartCountUnsettledEvents() throws {
        defer { state.remove() }
        handover(in: state.path).leave(events(of: "a", "a", "gone"))
        let next = handover(in: state.path)
        let left = try next.redelivering(next.previousProcess(nil), to: Self.plan())
        #expect(left.events.map(\.event.id) == ["a:r:0", "a:r:1"])
        next.leave(Snapshot())
        #expect(
            recorded(.unsettled, .dropped) == [
                "notice stopping: 3 events were not settled; kept for the next start: a:r:0, a:r:1, gone:r:2 "
                    + "RX_UNSETTLED=3",
                "notice starting: 2 events were not settled by the previous process; redelivering: a:r:0, a:r:1 "
                    + "RX_UNSETTLED=2",
                "warning starting: 1 event was not settled by the previous process; dropped, as their sources are no "
                    + "longer in the configuration: gone:r:2 RX_DROPPED=1",
            ])
    }

    @Test func stopWithoutStateDirectoryCountsLostEvents() {
        defer { state.remove() }
        handover(in: nil).leave(events(of: "a"))
        #expect(
            recorded(.unsettled) == [
                "warning stopping: 1 event was not settled; lost, as there is no state directory to keep them in: a:r:0 "
                    + "RX_UNSETTLED=1"
            ])
    }

    /// A damaged spool that no sink reads is repaired nevertheless, and the events stored for a sink that has begun
    /// without it are recorded.
    @Test func spoolUnreadableAtStartIsRecorded() async throws {
        defer { state.remove() }
        do {
            let spools = try SpoolDatabase(in: state.path) { _, _ in }
            let event = SpooledEvent(SourceEvent("a", run: "r", sequence: 0, time: 1), .null, ordinal: 0, suffix: nil)
            try spools.update("p/file", SpoolChanges(added: [event]))
        }
        let path = "\(state.path)/spool.db"
        let page = try Database(at: path).run("SELECT rootpage FROM sqlite_schema WHERE name = 'by_sink'")
        let start = Int(try #require(page.first?.first?.integer) - 1) * 4096
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(start))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 4096))
        try file.close()
        let spools = LazySpoolDatabase(in: state.path) { _, _ in
        } onResult: { _ in
        }
        let plan = try Plan.read(
            "sources: { a: { interval: 1h } }\npipelines: { p: { from: a, to: [file: /dev/null] } }".utf8,
            file: "t.yaml")
        var graph: Graph? = Graph(
            plan, generation: { 1 }, host: Host(spools: spools), records: recorder.outbox,
            printLine: { $1.end(.written) },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        if let graph { recorder.recordAbandoned(spools, graph) }
        try await eventually("the spool is recorded") { recorded(.spooled).count == 1 }
        #expect(
            recorded(.spooled) == [
                "warning -: p/file: 1 event stays spooled until the next start: the spool could not be read at this one "
                    + "RX_SPOOLED=1"
            ])
        #expect(spools.sinksReadAtOnce() == ["p/file"])
        graph?.dispose()
        graph = nil
    }

    /// Also for a sink that continues with the spooled events.
    @Test func abandonedSpoolsAreRecorded() async throws {
        defer { state.remove() }
        let spools = try SpoolDatabase(in: state.path) { _, _ in }
        for (sink, count) in [("p/command", 2), ("old/command", 3), ("p/http", 1)] {
            let events = (0..<count).map { number in
                SpooledEvent(
                    SourceEvent("a", run: "r", sequence: UInt64(number), time: 1), .null, ordinal: 0, suffix: nil)
            }
            try spools.update(sink, SpoolChanges(added: events))
        }
        var graph: Graph? = Graph(
            try Self.plan(), generation: { 1 }, host: Host(spools: spools), records: recorder.outbox,
            printLine: { $1.end(.written) },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        if let graph { recorder.recordAbandoned(spools, graph) }
        try await eventually("the spools are recorded") { recorded(.spooled).count == 2 }
        #expect(
            recorded(.spooled) == [
                "warning -: old/command: 3 events stay spooled: the configuration has no such sink, or has it under another "
                    + "name; restore the sink, or drop them: rxwatchctl spool drop old/command --all RX_SPOOLED=3",
                "warning -: p/http: 1 event stays spooled: the configuration has no such sink, or has it under another "
                    + "name; restore the sink, or drop them: rxwatchctl spool drop p/http --all RX_SPOOLED=1",
            ])
        graph?.start { _ in }
        try await eventually("the other spool continues") { try spools.size(of: "p/command").count == 0 }
        #expect(recorded(.spooled).contains("notice -: p: command continues: 2 events are spooled RX_SPOOLED=2"))
        #expect(try spools.sinks() == ["old/command", "p/http"])
        graph?.dispose()
        graph = nil
    }
}
