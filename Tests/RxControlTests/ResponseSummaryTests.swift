import RxControl
import RxJSON
import Testing

struct ResponseSummaryTests {
    /// The value of an event of a source of kind `http`.
    private func value(
        _ status: JSON, _ body: JSON, error: String? = nil, ok: Bool = true, date: String = "Mon"
    ) -> JSON {
        [
            "ok": .bool(ok), "status": status, "headers": ["date": .string(date)], "body": body,
            "timing": ["total": 0.5], "changed": true,
            "error": error.map { ["code": "connect", "message": .string($0)] } ?? .null, "certificate": .null,
        ]
    }

    @Test func statusAndBeginningOfBodyAreShown() {
        #expect(ResponseSummary(value(200, ["ok": true]))?.text == #"200 {"ok":true}"#)
        #expect(ResponseSummary(value(204, .null))?.text == "204")
        #expect(ResponseSummary(value(200, "a\nb"))?.text == #"200 "a\nb""#)
        #expect(ResponseSummary(value(503, "", error: "down", ok: false))?.text == #"503 "" (down)"#)
        #expect(ResponseSummary(value(404, .null, ok: false))?.text == "404 (not ok)")
        let refused = ResponseSummary(value(.null, "", error: "refused\nby", ok: false))
        #expect(refused?.text == "no response (refused by)")
        let error = "GET http://a/\(String(repeating: "x", count: 200)): refused"
        let failed = ResponseSummary(value(.null, .null, error: error, ok: false))?.text
        #expect(failed?.hasPrefix("no response (GET http://a/xx") == true && failed?.hasSuffix("x: refused)") == true)
        #expect(failed?.count == "no response ()".count + 120)
        let long = ResponseSummary(value(200, .string(String(repeating: "x", count: 100))))?.text
        #expect(long == "200 \"\(String(repeating: "x", count: 59))…")
    }

    /// The same response at another time is the same; bodies that differ only at their ends are not.
    @Test func responsesAreDistinguishedByStatusAndBody() {
        let body = String(repeating: "x", count: 100)
        let one = ResponseSummary(value(200, .string(body)))
        #expect(one != nil && one?.identity == ResponseSummary(value(200, .string(body), date: "Tue"))?.identity)
        #expect(one?.identity != ResponseSummary(value(200, .string(body + "y")))?.identity)
        #expect(one?.identity != ResponseSummary(value(201, .string(body)))?.identity)
    }

    @Test(arguments: [
        JSON.null, 1, "200", [], [200], ["status": 200, "body": "x"],
        ["ok": true, "status": 200, "headers": 1, "body": "", "timing": [:]],
        ["ok": 1, "status": 200, "headers": [:], "body": "", "timing": [:]],
    ]) func otherValuesHaveNone(value: JSON) {
        #expect(ResponseSummary(value) == nil)
    }
}
