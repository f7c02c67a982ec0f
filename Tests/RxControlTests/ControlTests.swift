import RxControl
import RxJSON
import Testing

struct ControlTests {
    @Test(arguments: [
        ControlRequest.reload, .plan, .sync(timeout: 0), .sync(timeout: 99.5), .spool(.list),
        .spool(.show(sink: "a/b", limit: 7)), .spool(.retry(sink: "a/b")), .spool(.drop(sink: "a/b")),
        .spool(.drop(sink: "a/b", ids: ["x", "y"])), .status(), .status(node: "a\n\"b\""),
        .status(columns: 80), .status(node: "a", columns: 1000), .resources(columns: 40),
        .graph, .resources(), .fire(node: "a"), .fire(node: "a", timeout: 0.5), .tap(),
        .tap(nodes: ["a", "b"], lifecycle: true),
    ])
    func requestIsOneLine(request: ControlRequest) throws {
        #expect(!request.line.contains(UInt8(ascii: "\n")))
        #expect(try ControlRequest(line: request.line) == request)
    }

    /// A request of an older client has no version.
    @Test func requestNeedsNoVersion() throws {
        #expect(try ControlRequest(line: Array(#"{"command":"status"}"#.utf8)) == .status())
    }

    @Test(
        arguments: [
            ("", "a request is a line such as {\"command\":\"status\"}"),
            ("status", "a request is a line such as {\"command\":\"status\"}"),
            ("[1]", "a request is a line such as {\"command\":\"status\"}"),
            (#"{"command":"relaod"}"#, "unknown command 'relaod'; did you mean 'reload'?"),
            (#"{"command":"status","node":3}"#, "'node' must be the name of a source or pipeline"),
            (
                #"{"version":2,"command":"status"}"#,
                "the request has version 2, and the daemon knows 1: use the rxwatchctl of the daemon's package"
            ),
            (#"{"command":"status","columns":39}"#, "'columns' must be a number from 40 to 1000"),
            (#"{"command":"resources","columns":"80"}"#, "'columns' must be a number from 40 to 1000"),
            (#"{"command":"sync","timeout":"1s"}"#, "'timeout' must be a number of seconds up to 100"),
            (#"{"command":"sync","timeout":101}"#, "'timeout' must be a number of seconds up to 100"),
            (#"{"command":"spool"}"#, "'action' must be one of list, show, retry, drop"),
            (
                #"{"command":"spool","action":"show"}"#,
                "'sink' must be the name of a pipeline and a sink such as 'api/http'"
            ),
            (#"{"command":"spool","action":"show","sink":"a","limit":0}"#, "'limit' must be a number from 1 to 1000"),
            (#"{"command":"spool","action":"drop","sink":"a","ids":[1]}"#, "'ids' must be a list of ids"),
            (#"{"command":"spool","action":"drop","sink":"a","ids":"b"}"#, "'ids' must be a list of ids"),
            (#"{"command":"fire"}"#, "'node' must be the name of a source"),
            (#"{"command":"fire","node":"a","timeout":-1}"#, "'timeout' must be a number of seconds up to 100"),
            (
                #"{"command":"tap","nodes":"x"}"#, "'nodes' must be a list of names, and 'lifecycle' true or false"
            ),
            (
                #"{"command":"tap","nodes":[1]}"#, "'nodes' must be a list of names, and 'lifecycle' true or false"
            ),
            (
                #"{"command":"tap","lifecycle":1}"#, "'nodes' must be a list of names, and 'lifecycle' true or false"
            ),
            (
                #"{"command":"x"}"#,
                "unknown command 'x'; there are reload, plan, status, graph, resources, fire, spool, sync, tap"
            ),
        ]) func invalidRequestsAreErrors(line: String, message: String)
    {
        let error = #expect(throws: ControlError.self) { try ControlRequest(line: Array(line.utf8)) }
        #expect(error?.message == message)
    }

    /// A character can be as long as a request, too.
    @Test(arguments: [String(repeating: "\u{FFFD}", count: 400), "e" + String(repeating: "\u{301}", count: 400)])
    func messageIsShort(text: String) {
        let requests: [JSON] = [["command": .string(text)], ["command": "status", "version": .string(text)]]
        for request in requests {
            let error = #expect(throws: ControlError.self) { try ControlRequest(line: request.bytes) }
            #expect((1...400).contains(error?.message.utf8.count ?? 0))
        }
    }

    @Test func answerControlsNoTerminal() {
        let answer = ControlAnswer("failed: \u{1B}[2J\u{9B}2J\u{7}\n\ttick", details: ["text": "\u{1B}[2J"])
        #expect(answer.text(asJSON: false) == "failed: \u{FFFD}[2J\u{FFFD}2J\u{FFFD}\n\ttick")
        #expect(!answer.text(asJSON: true).unicodeScalars.contains("\u{1B}"))
    }

    @Test func answerRoundTrips() {
        let answer = ControlAnswer("no:\n\"x\"", exitCode: 78, details: ["n": 1])
        #expect(ControlAnswer(answer.bytes) == answer)
        #expect(ControlAnswer(Array("{}".utf8)) == nil)
        #expect(ControlAnswer([]) == nil)
    }
}
