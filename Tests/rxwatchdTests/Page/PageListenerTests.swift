import Foundation
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines
@testable import rxwatchd

/// Where the status page is served, and what happens while it cannot be.
@Suite(.balanced) struct PageListenerTests {
    private let folder = TemporaryDirectory()
    private let messages = Cell<[String]>([])

    /// Runs `body` with a listener, and waits for its records.
    private func withListener(_ body: (PageListener) async throws -> Void) async throws {
        let outbox = RecordOutbox(writesToJournal: false, print: { [messages] in messages.append($0.message) })
        let recorder = Recorder(outbox: outbox, generation: GenerationNumber())
        let reporter = ResourceReporter(config: "c.yaml", recorder)
        let page = Page(reporter, TapRegistry(), hiding: HiddenSecrets())
        let listener = PageListener(page, passed: nil, recorder)
        defer {
            listener.dispose()
            reporter.forget()
        }
        try await body(listener)
        // The status changes before the record is written.
        listener.dispose()
        recorder.outbox.drain(within: .seconds(5))
    }

    private func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: false)
    }

    /// The status has the latest failure, and the journal the first one.
    @Test func failureIsRecordedOnceAndRetried() async throws {
        let path = folder("later/page")
        try await withListener { listener in
            listener.use(.unix(path))
            try await eventually("it has failed") {
                listener.status == "none, listening at \(path): No such file or directory"
            }
            try Data().write(to: URL(fileURLWithPath: folder("later")))
            try await eventually("it has failed again") {
                listener.status == "none, listening at \(path): Not a directory"
            }
            try FileManager.default.removeItem(atPath: folder("later"))
            try makeDirectory("later")
            try await eventually("it listens") { listener.status == "at \(path)" }
        }
        #expect(
            messages.value == [
                "listening at \(path): No such file or directory; there is no status page; retrying each second",
                "the status page is at \(path)",
            ])
    }

    @Test func addressThatWasReplacedIsNotRetried() async throws {
        let (old, new) = (folder("old/page"), folder("new/page"))
        try await withListener { listener in
            for path in [old, new] {
                listener.use(.unix(path))
                try await eventually("it has failed") {
                    listener.status == "none, listening at \(path): No such file or directory"
                }
            }
            try makeDirectory("old")
            try makeDirectory("new")
            // A retry of the old address would come first.
            try await eventually("it listens") { listener.status == "at \(new)" }
        }
        #expect(messages.value.filter { $0.hasPrefix("the status page is") } == ["the status page is at \(new)"])
    }
}
