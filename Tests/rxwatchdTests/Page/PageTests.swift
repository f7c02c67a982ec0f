import Foundation
import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines
@testable import rxwatchd

/// What the page's server answers, without a generation that runs.
@Suite(.balanced) struct PageTests {
    private let folder = TemporaryDirectory()
    private let taps = TapRegistry()

    private func event(_ value: JSON) -> TapRegistry.Notification {
        .emitted(PipelineEvent(value, source: "a", sequence: 4, time: 0))
    }

    /// What was before comes first, and then what happens, also failures and the phases of nodes.
    @Test func streamHasHistoryAndThenWhatNodesDo() throws {
        let recorder = Recorder(
            outbox: RecordOutbox(writesToJournal: false, print: { _ in }), generation: GenerationNumber())
        let page = Page(ResourceReporter(config: "c.yaml", recorder), taps, hiding: HiddenSecrets())
        page.history.start()
        defer { page.history.stop() }
        taps.observe("a", event("before"))
        let server = try WebServer(at: .unix(folder("page"))) { page.answer($0) }
        defer { server.dispose() }
        var (kind, received) = ("", [String]())
        let request = Array("GET /stream HTTP/1.0\r\nHost: localhost\r\n\r".utf8)
        try LocalCall.follow(request, at: folder("page"), within: .seconds(20)) { line in
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("event: ") { kind = String(text.dropFirst("event: ".count)) }
            guard text.hasPrefix("data: "), let data = try? JSON(parsing: Array(line.dropFirst("data: ".count))) else {
                return true
            }
            if kind == "history" {
                received.append("history of \(data["events"]?[0]?["line"]?["value"]?.string ?? "nothing")")
                taps.observe("a", from: .idle, to: .running)
                NodeActivity("a", on: HistoricalScheduler(), taps).failed("no")
                taps.observe("a", event("after"))
                return true
            }
            let what = data["state"] ?? data["failed"] ?? data["value"]
            received.append("\(kind) \(what?.string ?? "\(data)")")
            return data["value"] == nil
        }
        #expect(
            received == ["history of before", "notification running", "notification no", "notification after"])
    }

    /// A value that is as long as it may be is sent as it is.
    @Test func longValuesAreShortened() {
        let line: JSON = ["node": "a", "value": ["key": "12345678"]]
        let length = #"{"key":"12345678"}"#.utf8.count
        #expect(Page.shortened(line, to: length) == line)
        #expect(Page.shortened(line, to: length - 1) == ["node": "a", "value": #"{"key":"12345678"…"#])
    }
}
