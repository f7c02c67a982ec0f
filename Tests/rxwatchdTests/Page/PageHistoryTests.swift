import Foundation
import RxDiagnostics
import RxEngine
import RxEngineTest
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines
@testable import rxwatchd

/// The history that the status page is sent: none while no page is wanted, and none of the credentials.
@Suite(.balanced) struct PageHistoryTests {
    private let taps = TapRegistry()
    private let secrets = HiddenSecrets()
    private let scheduler = TestScheduler(initialClock: 0)

    private func history() -> PageHistory {
        PageHistory(on: scheduler, taps, hiding: secrets) { 7 }
    }

    private func data(of history: PageHistory) throws -> JSON {
        let text = String(decoding: history.message, as: UTF8.self)
        #expect(text.hasPrefix("event: history\ndata: ") && text.hasSuffix("\n\n"))
        return try JSON(parsing: Array(text.dropFirst("event: history\ndata: ".count).utf8))
    }

    private func emit(_ value: JSON) {
        taps.observe("a", .emitted(PipelineEvent(value, source: "a", sequence: 4, time: 0)))
    }

    @Test func nothingIsRecordedUnlessPageIsWanted() throws {
        let history = history()
        let nothing: JSON = ["interval": 10, "samples": [], "events": []]
        #expect(taps.isIdle)
        emit(1)
        #expect(try data(of: history) == nothing)
        history.start()
        history.start()
        #expect(!taps.isIdle)
        emit(2)
        scheduler.advanceTo(1)
        #expect(try data(of: history)["events"]?.array?.count == 1)
        #expect(try data(of: history)["samples"]?.array?.count == 1)
        history.stop()
        #expect(taps.isIdle)
        emit(3)
        scheduler.advanceTo(100)
        #expect(try data(of: history) == nothing)
    }

    @Test func historyHasLinesOfTapAndCounts() throws {
        let history = history()
        history.start()
        defer { history.stop() }
        emit(["x": 1])
        emit(["x": 2])
        scheduler.advanceTo(1)
        let data = try data(of: history)
        let event = try #require(data["events"]?[0])
        #expect(event["count"] == 2 && event["line"]?["value"] == ["x": 1] && event["line"]?["id"]?.string != nil)
        let sample = try #require(data["samples"]?[0])
        #expect(sample["generation"] == 7)
        for key in ["time", "total", "subscriptions", "rssKiB", "fds", "watches"] {
            #expect(sample[key]?.number != nil, "\(key)")
        }
    }

    @Test func historyHasTheLastFifteenMinutes() throws {
        let history = history()
        history.start()
        defer { history.stop() }
        emit("old")
        scheduler.advanceTo(100)
        emit("new")
        scheduler.advanceTo(895)
        #expect(try data(of: history)["events"]?.array?.count == 2)
        scheduler.advanceTo(3000)
        let data = try data(of: history)
        #expect(data["events"] == [] && data["samples"]?.array?.count == 90)
    }

    /// A reload may add a credential that an older line has.
    @Test func laterCredentialsAreHiddenInOlderLines() throws {
        let history = history()
        history.start()
        defer { history.stop() }
        emit(["door": "letmein"])
        NodeActivity("a", on: HistoricalScheduler(), taps).failed("no letmein", at: "http")
        #expect(String(decoding: history.message, as: UTF8.self).contains("letmein"))
        var credentials = Secrets()
        credentials.insert("letmein", named: "door")
        secrets.hide(credentials)
        #expect(!String(decoding: history.message, as: UTF8.self).contains("letmein"))
        #expect(try data(of: history)["events"]?.array?.count == 2)
    }

    /// A text may end within a credential that a reload adds later.
    @Test(
        arguments: [
            ("letmein-now", "letmein-"), ("letmein-now", "letme"), ("a/b/c/d/e/f", "a%2Fb%2Fc%2"),
            ("a/b/c/d/e", "a%2fb%2fc%"),
            ("say \"hello\" to all", #"say \"hello\"#), ("ab\u{1}c\u{1}de", #"ab\u0001c\u00"#),
            ("pässwörter", "pässw\u{F6}"),
            ("letmein-now", "bGV0bWVpbi1u"),
        ])
    func laterCredentialsAreHiddenAtEndsOfCutTexts(credential: String, end: String) throws {
        let history = history()
        history.start()
        defer { history.stop() }
        // The bytes that are kept, of which the text of a value begins with a quotation mark.
        let cut = end == "pässw\u{F6}" ? end.utf8.count - 1 : end.utf8.count
        let value = String(repeating: "-", count: 255 - cut)
        // A value's text is JSON, in which backslashes and quotation marks are escaped.
        let isPlain = !end.contains("\\")
        if isPlain { emit(.string(value + end + String(repeating: "z", count: 600))) }
        let activity = NodeActivity("a", on: HistoricalScheduler(), taps)
        activity.failed(
            String(repeating: "-", count: 4096 - cut) + end + String(repeating: "z", count: 900), at: "http")
        let start = String(end.prefix(4))
        let texts = isPlain ? 2 : 1
        func shown() throws -> [String] {
            let lines = try #require(try data(of: history)["events"]?.array?.compactMap { $0["line"] })
            return lines.compactMap { $0["value"]?.string ?? $0["failed"]?.string }
        }
        #expect(try shown().filter { $0.contains(start) }.count == texts)
        var credentials = Secrets()
        credentials.insert(credential, named: "door")
        secrets.hide(credentials)
        let hidden = try shown()
        #expect(hidden.count == texts && hidden.allSatisfy { $0.hasSuffix("-${credential:door}…") }, "\(hidden)")
    }

    /// The names of a line may contain a credential, too, but not the names of its members.
    @Test func laterCredentialsAreHiddenInAllTextsOfLine() throws {
        let history = history()
        history.start()
        defer { history.stop() }
        let origin = SourceEvent("letmein", run: "letmein", sequence: 4, time: 0)
        NodeActivity("letmein", on: HistoricalScheduler(), taps).failed("no", at: "letmein", on: origin)
        var credentials = Secrets()
        for secret in ["letmein", "failed"] { credentials.insert(secret, named: "door") }
        secrets.hide(credentials)
        let line = try #require(try data(of: history)["events"]?[0]?["line"])
        let name: JSON = "${credential:door}"
        #expect(line["failed"] == "no" && line["node"] == name && line["sink"] == name, "\(line)")
        #expect(!String(decoding: history.message, as: UTF8.self).contains("letmein"))
    }

    /// A sink may fail with another message each time: those without an entry are counted in one.
    @Test func allFailuresAreCounted() throws {
        let history = history()
        history.start()
        defer { history.stop() }
        let activity = NodeActivity("a", on: HistoricalScheduler(), taps)
        for number in 0..<40 { activity.failed("no \(number)", at: number % 2 == 0 ? "http" : "command") }
        let events = try #require(try data(of: history)["events"]?.array)
        #expect(events.compactMap { $0["count"]?.number }.reduce(0, +) == 40)
        let others = events.filter { $0["count"] != 1 }
        #expect(others.map { $0["count"] } == [12, 12])
        #expect(Set(others.compactMap { $0["line"]?["sink"]?.string }) == ["http", "command"])
        #expect(
            others.allSatisfy { $0["line"]?["failed"] == "other failures: the journal has their messages" },
            "\(others)")
        #expect(others.allSatisfy { $0["line"]?["cause"] == nil && $0["line"]?["node"] == "a" })
    }

    /// A page gets each event once: in the history, or when it happens.
    @Test func followerGetsWhatHistoryLacks() throws {
        let history = history()
        history.start()
        emit(1)
        let followed = Cell(0)
        let (message, subscription) = history.follow { _, _ in followed.update { $0 += 1 } }
        #expect(String(decoding: message, as: UTF8.self).contains("\"count\":1"))
        emit(2)
        emit(3)
        // What the page does not show is not passed on, nor counted as lost by one that is slow.
        taps.observe("a", .settled(SourceEvent("a", run: "r", sequence: 4, time: 0)))
        #expect(followed.value == 2)
        #expect(try data(of: history)["events"]?[0]?["count"] == 3)
        subscription.dispose()
        emit(4)
        history.stop()
        #expect(followed.value == 2 && taps.isIdle)
    }

    /// Threads emit while pages are opened.
    @Test func noEventIsLostOrRepeatedBetweenHistoryAndFollower() throws {
        let history = history()
        history.start()
        defer { history.stop() }
        let pages = Cell<[(recorded: Int, followed: Cell<Int>, subscription: any Disposable)]>([])
        inParallel(3) { thread in
            for _ in 0..<200 {
                if thread > 0 {
                    emit(1)
                } else if pages.value.count < 20 {
                    let followed = Cell(0)
                    let (message, subscription) = history.follow { _, _ in followed.update { $0 += 1 } }
                    let text = String(decoding: message, as: UTF8.self)
                    let data = try? JSON(parsing: Array(text.dropFirst("event: history\ndata: ".count).utf8))
                    let count = data?["events"]?[0]?["count"]?.number ?? 0
                    pages.append((Int(count), followed, subscription))
                }
            }
        }
        #expect(pages.value.map { $0.recorded + $0.followed.value } == Array(repeating: 400, count: 20))
        for page in pages.value { page.subscription.dispose() }
        pages.update { $0 = [] }
    }

    /// A notification may be on its way when recording stops.
    @Test func nothingIsRecordedAfterStop() throws {
        let history = history()
        history.start()
        // In any order, one of the two receivers is called after the stop, or what was recorded is forgotten.
        let stops = taps.add([]) { _, _ in history.stop() }
        emit(1)
        #expect(try data(of: history)["events"] == [])
        stops.dispose()
    }

    @Test func clockMayBeSetBack() throws {
        let wall = WallScheduler(scheduler, start: 10_000)
        let history = PageHistory(on: wall, taps, hiding: secrets) { 7 }
        history.start()
        defer { history.stop() }
        emit(1)
        scheduler.advanceTo(15)
        wall.jump(by: -5000)
        emit(2)
        emit(3)
        #expect(try data(of: history)["events"]?.array?.compactMap { $0["count"] } == [1, 2])
    }

    @Test func credentialsAreHiddenBeforeLongTextsAreCut() throws {
        var credentials = Secrets()
        credentials.insert("letmein", named: "door")
        secrets.hide(credentials)
        let history = history()
        history.start()
        defer { history.stop() }
        emit(.string(String(repeating: "x", count: 250) + "letmein" + String(repeating: "y", count: 900)))
        let activity = NodeActivity("a", on: HistoricalScheduler(), taps)
        activity.failed(
            String(repeating: "z", count: 4090) + "letmein" + String(repeating: "y", count: 900), at: "http")
        let text = String(decoding: history.message, as: UTF8.self)
        #expect(!text.contains("letm") && text.contains("zzz") && text.contains("xxx"))
        #expect(text.utf8.count < 5000)
    }
}
