import RxControl
import Testing

struct ControlTests {
    @Test(arguments: [ControlRequest.reload, .status(), .status(node: "a\n\"b\""), .graph, .resources])
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
            (#"{"command":"x"}"#, "unknown command 'x'; there are reload, status, graph, resources"),
        ]) func invalidRequestsAreErrors(line: String, message: String)
    {
        let error = #expect(throws: ControlError.self) { try ControlRequest(line: Array(line.utf8)) }
        #expect(error?.message == message)
    }

    @Test func answerRoundTrips() {
        let answer = ControlAnswer("no:\n\"x\"", exitCode: 78, details: ["n": 1])
        #expect(ControlAnswer(answer.bytes) == answer)
        #expect(ControlAnswer(Array("{}".utf8)) == nil)
        #expect(ControlAnswer([]) == nil)
    }
}
