import RxDiagnostics
import RxJQ
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

struct PipelineErrorTests {
    private let event = PipelineEvent(.null, source: "tick", sequence: 3, time: 0)

    private func fields(_ record: Record) -> [String: String] {
        Dictionary(uniqueKeysWithValues: record.fields.map { ($0.field.rawValue, $0.value) })
    }

    @Test func failureOfStepIsDescribed() {
        let cause = StepError(
            step: "map", location: SourceLocation(file: "a.yaml", line: 3, column: 5), event: event, message: "no")
        let record = PipelineError(pipeline: "p", consequence: .restarts(after: .seconds(4)), cause: cause)
            .record(generation: 2, callStack: [])
        #expect(record.kind == .error && record.priority == .err && record.generation == 2)
        #expect(record.message == "p failed: a.yaml:3:5: map failed on tick:3: no; restarting in 4s")
        #expect(
            fields(record) == [
                "RX_PIPELINE": "p", "RX_OPERATOR": "map", "RX_SOURCE": "tick", "RX_SEQUENCE": "3",
                "RX_CAUSE": "tick:3", "RX_EVENT_ID": "tick:3", "RX_VALUE": "null", "RX_SOURCE_TIME": "0",
                "RX_ERROR": "a.yaml:3:5: map failed on tick:3: no", "RX_ERROR_TYPE": "StepError",
            ])
    }

    @Test func failureOfSinkIsDescribed() {
        let record = PipelineError(pipeline: "p", sink: "journal", event: event, cause: JQError("no"))
            .record(generation: 1, callStack: ["inner", "outer"])
        #expect(record.kind == .sink && record.priority == .err)
        #expect(record.message == "p: journal failed: no")
        #expect(
            fields(record) == [
                "RX_PIPELINE": "p", "RX_SOURCE": "tick", "RX_SEQUENCE": "3", "RX_SINK": "journal", "RX_CAUSE": "tick:3",
                "RX_EVENT_ID": "tick:3", "RX_VALUE": "null", "RX_SOURCE_TIME": "0",
                "RX_ERROR": "no", "RX_ERROR_TYPE": "JQError", "RX_CALLSTACK": "inner\nouter",
            ])
    }

    /// The record contains the failed event, unless that is too long for a record.
    @Test(arguments: [(16 * 1024, true), (16 * 1024 + 1, false)])
    func recordHasFailedEvent(size: Int, isRecorded: Bool) {
        let value = JSON.string(String(repeating: "x", count: size - 2))
        let cause = StepError(
            step: "map", location: SourceLocation(file: "a.yaml", line: 3, column: 5), event: event.with(value),
            message: "no")
        let record = PipelineError(pipeline: "p", cause: cause).record(generation: 1)
        #expect(record[.value] == (isRecorded ? value.description : nil))
    }

    /// The value that the source emitted, after the steps have made another one, and of the last of joined events, unless it
    /// is too long.
    @Test func recordHasValueOfSource() throws {
        let unsettled = UnsettledEventTable()
        func event(_ value: JSON) throws -> PipelineEvent {
            try #require(unsettled.accept(SourceEvent("tick", sequence: 3, time: 0), value)).with(["other": 1])
        }
        func recorded(_ event: PipelineEvent) -> String? {
            PipelineError(pipeline: "p", sink: "file", event: event, cause: JQError("no")).record(generation: 1)[
                .sourceValue]
        }
        let (one, two) = (try event(["path": "/a"]), try event(["path": "/b"]))
        #expect(recorded(one) == #"{"path":"/a"}"#)
        #expect(
            PipelineError(pipeline: "p", event: one, cause: JQError("no")).record(generation: 1)[.sourceTime] == "0")
        #expect(recorded(two.made(of: [one, two])) == #"{"path":"/b"}"#)
        #expect(recorded(try event(.string(String(repeating: "x", count: 1024 - 2))))?.count == 1024)
        #expect(recorded(try event(.string(String(repeating: "x", count: 1024 - 1)))) == nil)
        #expect(recorded(try event(.string(String(repeating: "x", count: 1 << 20)))) == nil)
    }

    @Test func failureWithoutPipelineIsDescribed() {
        let record = PipelineError(unhandled: TestError("no")).record(generation: 1, callStack: [])
        #expect(record.message == "no")
        #expect(fields(record) == ["RX_ERROR": "no", "RX_ERROR_TYPE": "TestError"])
    }
}
