import Foundation
import RxEngine
import RxEngineTest
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines
@testable import rxwatchd

@Suite(.balanced) struct NodeStatusTests {
    private let scheduler = HistoricalScheduler()

    private func status(
        _ kind: GraphPicture.Node.Kind, _ activity: NodeActivity, inputs: [String] = [], sinks: [String] = [],
        received: Int? = nil, replayed: Int = 0
    ) -> NodeStatus {
        let node = GraphPicture.Node(
            kind: kind, name: "n", activity: activity, isArmed: nil, account: nil, inputs: inputs, unsettled: nil,
            received: received, replayed: replayed, flow: nil)
        return NodeStatus(node, ["n": sinks])
    }

    private func emit(from activity: NodeActivity) {
        activity.emitted(PipelineEvent(1, source: "s", sequence: 1, time: 0))
    }

    private func passSecond() { scheduler.advanceTo(scheduler.now.addingTimeInterval(1)) }

    /// A node works again when it emits, and the sink of a pipeline when it has done its work.
    @Test(arguments: [GraphPicture.Node.Kind.source, .pipeline]) func eventEndsOwnFailure(
        kind: GraphPicture.Node.Kind
    ) {
        let activity = NodeActivity("n", on: scheduler)
        emit(from: activity)
        #expect(!status(kind, activity).isFailing)
        passSecond()
        activity.failed("no")
        #expect(status(kind, activity).isFailing)
        passSecond()
        emit(from: activity)
        #expect(!status(kind, activity).isFailing)
        activity.failed("no", at: "http")
        passSecond()
        emit(from: activity)
        #expect(status(kind, activity, sinks: ["http"]).isFailing == (kind == .pipeline))
        activity.succeeded(at: "http")
        #expect(!status(kind, activity, sinks: ["http"]).isFailing)
    }

    @Test func failuresAreInDetailsIfThereAreAny() {
        let activity = NodeActivity("n", on: scheduler)
        #expect(status(.pipeline, activity).details()["failures"] == nil)
        activity.failed("no")
        #expect(status(.pipeline, activity).details()["failures"]?.array?.map { $0["message"] } == ["no"])
    }

    @Test func descriptionNamesInputsIfThereAreAny() {
        let activity = NodeActivity("n", on: scheduler)
        #expect(!status(.source, activity).description.contains("takes events from"))
        #expect(
            status(.pipeline, activity, inputs: ["a", "b"]).description.contains("\n  takes events from a, b\n"))
    }

    @Test func receivedEventsOfWhichNoneIsEmittedAreMentioned() {
        let activity = NodeActivity("n", on: scheduler)
        #expect(status(.pipeline, activity).noneOfReceived == nil)
        #expect(status(.pipeline, activity, received: 0).noneOfReceived == nil)
        #expect(status(.pipeline, activity, received: 2).noneOfReceived != nil)
        emit(from: activity)
        #expect(status(.pipeline, activity, received: 2).noneOfReceived == nil)
    }

    @Test func replayedEventsAreCountedIfThereAreAny() {
        let activity = NodeActivity("n", on: scheduler)
        let none = status(.pipeline, activity, received: 2)
        let some = status(.pipeline, activity, received: 2, replayed: 1)
        #expect(none.details()["replayed"] == nil && none.noneOfReceived == "no event from 2 received")
        #expect(some.details()["replayed"] == 1 && some.noneOfReceived == "no event from 2 received (1 replayed)")
    }

    /// The end of a message says why, so lines of its middle are left out.
    @Test(arguments: [
        (1, ["line 1"]), (3, ["line 1", "line 2", "line 3"]), (4, ["line 1", "line 2", "… line 4"]),
        (9, ["line 1", "line 2", "… line 9"]),
    ])
    func longFailureIsShortened(count: Int, shown: [String]) {
        let activity = NodeActivity("n", on: scheduler)
        activity.failed((1...count).map { "line \($0)" }.joined(separator: "\n"))
        let lines = status(.pipeline, activity).lines(columns: 100, hiding: HiddenSecrets())
        #expect(lines.count == shown.count + 1)
        for (line, end) in zip(lines.dropFirst(), shown) { #expect(line.hasSuffix(end)) }
    }
}
