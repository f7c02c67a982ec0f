import ConfigTestSupport
import Glibc
import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// A sink of a configuration, and the effects of the events that it is given.
final class SinkRig {
    let records = Cell<[Record]>([])
    let lines = Cell<[String]>([])
    private(set) var sink: (any OpenSink)?
    private var sequence: UInt64 = 0

    init(_ config: String, _ host: Host = Host()) throws {
        let reading = ReadingContext()
        let read = try Registry.sinks.type.read(yaml(config), reading)
        try reading.report.throwIfAny()
        let named = try #require(read)
        var context = SinkContext(
            pipeline: "p", currentGeneration: { 2 }, host: host, records: SinkRecords(records),
            printLine: { [lines] line, receipt in
                lines.append(line)
                receipt.end(.written)
            })
        context.sink = named.name
        context.recordsAll = named.kind.settings.recordsAll
        sink = named.kind.open(in: context)
    }

    /// Gives the sink an event of the source `tick`; the first event is number 0.
    func give(_ values: JSON...) throws {
        for value in values {
            defer { sequence += 1 }
            _ = try sink?.receive(PipelineEvent(value, source: "tick", sequence: sequence, time: 1.5))
        }
    }

    /// Waits until the sink has finished its events, and closes it.
    func finish() async throws {
        let isDone = Cell(false)
        sink?.drain { isDone.update { $0 = true } }
        try await eventually("it has finished: \(problems)") { isDone.value }
        sink?.dispose()
        sink = nil
    }

    /// The records about the sink itself, except those of finished work and of dropped events.
    var problems: [String] {
        records.value.filter { $0.kind == .sink && ![.info, .debug].contains($0.priority) }.map(\.message)
    }

    /// The events that the sink has reported as finished, and their effects.
    var done: [String] {
        records.value.filter { $0.kind == .sink && $0.priority == .info }.map { "\($0[.cause] ?? "") \($0.message)" }
    }
}

/// Stores the records that are written, on any thread.
struct SinkRecords: RecordWriter {
    private let records: Cell<[Record]>

    init(_ records: Cell<[Record]>) {
        self.records = records
    }

    func write(_ record: Record) {
        records.append(record)
    }
}
