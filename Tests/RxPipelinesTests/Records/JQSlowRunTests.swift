import ConfigTestSupport
import RxDiagnostics
import RxJQ
import RxPipelines
import Testing

struct JQSlowRunTests {
    @Test func slowExpressionIsRecorded() {
        let slow = JQSlowRun(location: start, running: .milliseconds(500), stage: .stillRuns)
        let record = slow.record(generation: 3)
        let message = "this expression has run for 500ms, and blocks its pipeline"
        #expect(record.message == "t.yaml:1:1: \(message)")
        #expect(record.kind == .error && record.priority == .warning && record.generation == 3)
        let ended = JQSlowRun(location: start, running: .seconds(1), stage: .ended)
        #expect(ended.record(generation: 1).priority == .notice)
        let named = JQSlowRun(location: start, pipeline: "p", running: .seconds(1), stage: .stillRuns)
        #expect(named.record(generation: 1)[.pipeline] == "p")
        let stopped = JQSlowRun(location: start, running: .seconds(2), stage: .stopped)
        #expect(
            stopped.message == "this expression was stopped after 2s" && stopped.record(generation: 1)[.pipeline] == nil
        )
    }
}
