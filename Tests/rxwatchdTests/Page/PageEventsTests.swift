import Foundation
import RxEngine
import RxEngineTest
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines
@testable import rxwatchd

/// What an open page is sent of the minutes before: it is bounded, and says how often a thing has happened.
@Suite(.balanced) struct PageEventsTests {
    private static let event = TapRegistry.Notification.emitted(PipelineEvent(1, source: "a", sequence: 1, time: 0))

    private func failure(_ message: String, at sink: String? = nil) throws -> TapRegistry.Notification {
        let activity = NodeActivity("a", on: HistoricalScheduler())
        activity.failed(message, at: sink)
        return .failed(try #require(activity.summary.failures.last))
    }

    /// Notes a notification as the daemon does, with a line that has this text.
    private func note(
        _ events: inout PageEvents, _ node: String, _ notification: TapRegistry.Notification = event, in interval: Int,
        _ text: String
    ) throws {
        let key = try #require(PageEvents.Key(notification))
        guard let missing = events.count(node, key, in: interval) else { return }
        let line = missing.isOtherFailures ? "others" : text
        events.add(node, missing, in: interval, JSON.string(line).bytes)
    }

    /// The entries as `number×line`, sorted.
    private func entries(_ events: PageEvents) throws -> [String] {
        let all = try #require(JSON(parsing: events.json()).array)
        return try all.map { "\(Int(try #require($0["count"]?.number)))×\(try #require($0["line"]?.string))" }.sorted()
    }

    @Test func notificationsOfAnIntervalShareTheFirstLine() throws {
        var events = PageEvents(maximumBytes: 1000)
        #expect(try entries(events) == [])
        for (interval, text) in [(10, "a"), (10, "b"), (10, "c"), (11, "d"), (13, "e")] {
            try note(&events, "x", in: interval, text)
        }
        try note(&events, "y", in: 10, "of y")
        #expect(try entries(events) == ["1×d", "1×e", "1×of y", "3×a"])
    }

    @Test func kindsOfNotificationsHaveEntriesOfTheirOwn() throws {
        var events = PageEvents(maximumBytes: 1000)
        let replayed = PipelineEvent(1, source: "a", sequence: 1, time: 0).replayed
        let all: [(TapRegistry.Notification, String)] = [
            (Self.event, "event"), (.emitted(replayed), "replayed"), (try failure("no"), "failed"),
            (try failure("no", at: "http"), "failed at a sink"), (try failure("why"), "failed otherwise"),
            (.phase(.running), "running"), (.phase(.completed), "completed"),
        ]
        for (notification, text) in all + all { try note(&events, "x", notification, in: 10, text) }
        #expect(try entries(events) == all.map { "2×\($1)" }.sorted())
        #expect(PageEvents.Key(.settled(SourceEvent("a", run: "r", sequence: 4, time: 0))) == nil)
    }

    /// A sink may fail with another message each time.
    @Test func differentFailuresOfAnIntervalAreLimited() throws {
        var events = PageEvents(maximumBytes: 1 << 20)
        for number in 0..<1000 { try note(&events, "x", failure("\(number)"), in: 10, "\(number)") }
        try note(&events, "x", failure("later"), in: 11, "later")
        #expect(try Set(entries(events)) == Set((0..<16).map { "1×\($0)" } + ["984×others", "1×later"]))
    }

    /// A failing sink must not hide what its pipeline does.
    @Test func failuresLeaveRoomForEvents() throws {
        var events = PageEvents(maximumBytes: 1 << 20)
        for number in 0..<20 { try note(&events, "x", failure("\(number)"), in: 10, "\(number)") }
        for _ in 0..<3 { try note(&events, "x", in: 10, "event") }
        try note(&events, "x", .phase(.completed), in: 10, "completed")
        #expect(try Set(entries(events)) == Set((0..<16).map { "1×\($0)" } + ["4×others", "3×event", "1×completed"]))
    }

    /// The node with the most bytes loses its oldest entries, so that another keeps those that it rarely has.
    @Test func bytesAreLimited() throws {
        var events = PageEvents(maximumBytes: 100)
        try note(&events, "quiet", in: 0, "quiet")
        for number in 1...100 { try note(&events, "x", in: number, String(repeating: "x", count: 18)) }
        #expect(events.bytes <= 100 && events.bytes > 80)
        #expect(
            try entries(events) == ["1×quiet"] + Array(repeating: "1×" + String(repeating: "x", count: 18), count: 4))
        try note(&events, "y", in: 1, String(repeating: "y", count: 99))
        #expect(try entries(events).count == 5, "a line that can never fit is not kept")
    }

    @Test func oldEntriesAreRemoved() throws {
        var events = PageEvents(maximumBytes: 1000)
        try note(&events, "x", in: 1, "a")
        try note(&events, "x", in: 2, "b")
        try note(&events, "y", in: 1, "c")
        events.removeOld(before: 2)
        #expect(try entries(events) == ["1×b"] && events.bytes == 3)
        events.removeOld(before: 3)
        #expect(try entries(events) == [] && events.bytes == 0)
    }
}
