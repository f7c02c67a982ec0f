import RxJSON
import RxPipelines
import TestSupport
import Testing

@testable import rxwatchd

@Suite(.balanced) struct TapClientTests {
    /// The line after those that were dropped says how many these were.
    @Test func droppedLinesAreCounted() {
        let (lines, isSlow) = (Cell<[JSON]>([]), Cell(false))
        let client = TapClient(lifecycle: true, hiding: HiddenSecrets()) { line in
            if isSlow.value { return false }
            lines.append(line)
            return true
        }
        for isDropped in [false, true, true, true, false, false] {
            isSlow.update { $0 = isDropped }
            client.receive("a", .phase(.running))
        }
        #expect(lines.value.map { $0["dropped"] } == [nil, 3, nil])
        #expect(lines.value.allSatisfy { $0["node"] == "a" && $0["state"] == "running" })
    }

    /// Without `lifecycle`, only events are sent.
    @Test func lifecycleIsSentOnRequest() {
        let lines = Cell<[JSON]>([])
        let client = TapClient(lifecycle: false, hiding: HiddenSecrets()) { line in
            lines.append(line)
            return true
        }
        client.receive("a", .phase(.running))
        client.receive("a", .emitted(PipelineEvent(["x": 1], source: "a", sequence: 4, time: 0)))
        #expect(lines.value.map { $0["value"] } == [["x": 1]] && lines.value.first?["cause"] == "a:4")
    }
}
