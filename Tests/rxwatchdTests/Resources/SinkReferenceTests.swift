import RxControl
import Testing

@testable import rxwatchd

/// The names of sinks that `status` and `spool` take.
struct SinkReferenceTests {
    private static let keys = ["api/http", "api/file", "down/file", "down/onError/journal"]

    @Test(
        arguments: [
            ("api/http", .sink("api/http")), ("http", .sink("api/http")), ("journal", .sink("down/onError/journal")),
            ("file", .several(["api/file", "down/file"])), ("down/file", .sink("down/file")), ("unit", .unknown),
            ("api", .unknown), ("onError/journal", .unknown), ("", .unknown),
        ] as [(String, SinkReference.Meaning)])
    func nameMeansSink(name: String, meaning: SinkReference.Meaning) {
        #expect(SinkReference(name: name).meaning(among: Self.keys) == meaning)
    }

    @Test func keyHasPipelineAndSink() {
        #expect(SinkReference.parts(of: "api/http") == ("api", "http"))
        #expect(SinkReference.parts(of: "down/onError/journal") == ("down/onError", "journal"))
    }
}
