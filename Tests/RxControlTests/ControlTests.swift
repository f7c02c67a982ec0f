import RxControl
import Testing

struct ControlTests {
    @Test(arguments: ControlRequest.allCases) func requestIsOneLine(request: ControlRequest) throws {
        #expect(try ControlRequest(line: request.line) == request)
    }

    @Test(
        arguments: [
            ("", "a request is a line such as {\"command\":\"status\"}"),
            ("status", "a request is a line such as {\"command\":\"status\"}"),
            ("[1]", "a request is a line such as {\"command\":\"status\"}"),
            (#"{"command":"relaod"}"#, "unknown command 'relaod'; did you mean 'reload'?"),
            (#"{"command":"x"}"#, "unknown command 'x'; there are reload, status"),
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
