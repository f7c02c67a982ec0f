import RxEngine
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines
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

    /// The members of each kind of line, which the manual names.
    @Test func linesHaveMembersOfManual() throws {
        let lines = Cell<[JSON]>([])
        let client = TapClient(lifecycle: true, hiding: HiddenSecrets()) { line in
            lines.append(line)
            return lines.value.count != 1
        }
        let activity = NodeActivity("a", on: HistoricalScheduler())
        let origin = SourceEvent("a", run: "r", sequence: 4, time: 0)
        let event = PipelineEvent(["x": 1], origin)
        client.receive("a", .emitted(event))
        client.receive("a", .emitted(event.replayed))
        activity.failed("no", at: "http", on: origin, isRetried: true)
        for failure in activity.summary.failures { client.receive("a", .failed(failure)) }
        client.receive("a", .settled(origin))
        client.receive("a", .phase(.completed))
        client.receive("a", .dropped(origin, id: "a:r:4.1", at: "http", because: "full"))
        for change in [.subscribed, .replayed(origin), .unsubscribed] as [TapRegistry.SubscriptionChange] {
            client.receive("a", .subscription(by: "p", change))
        }
        let found = lines.value.map { line in
            var line = line
            #expect(line["node"] == "a" && line["time"]?.number ?? 0 > 1e9)
            (line["node"], line["time"]) = (nil, nil)
            return line
        }
        #expect(
            found == [
                ["value": ["x": 1], "cause": "a:4", "id": "a:r:4"],
                ["value": ["x": 1], "cause": "a:4", "id": "a:r:4", "replayed": true, "dropped": 1],
                ["failed": "no", "sink": "http", "retried": true, "cause": "a:4", "id": "a:r:4"],
                ["settled": "a:4", "id": "a:r:4"], ["state": "completed"],
                ["dropReason": "full", "sink": "http", "cause": "a:4", "id": "a:r:4.1"],
                ["subscriber": "p", "state": "subscribed"],
                ["subscriber": "p", "replayed": true, "cause": "a:4", "id": "a:r:4"],
                ["subscriber": "p", "state": "unsubscribed"],
            ])
        let members = Set(lines.value.flatMap { $0.object?.members.map(\.key) ?? [] })
        #expect(try members.subtracting(DeployedFile("man/rxwatchctl.1").manualLiterals) == [])
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
