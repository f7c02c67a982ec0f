import RxDiagnostics
import RxJSON

/// The value of an event of a source of kind `http` in few words: its status, and the beginning of its body.
///
/// ```
/// 200 {"ok":true}
/// 503 "<html>\n<head>…  (the status is not as expected)
/// no response (connection refused)
/// ```
package struct ResponseSummary {
    /// The text, in one line.
    package let text: String
    /// Differs if the status, the body or the error does, also where the text is cut; header fields and times do not count.
    package let identity: String

    /// The members by which such a value is recognized, also in the events of a pipeline that has passed it on.
    private static let members = ["ok", "status", "headers", "body", "timing"]

    /// The most characters of an error.
    private static let longestError = 120

    /// `nil` for a value that is not of this form.
    package init?(_ value: JSON) {
        guard let ok = value["ok"]?.bool, Self.members.allSatisfy({ value[$0] != nil }),
            value["headers"]?.object != nil, value["timing"]?.object != nil
        else { return nil }
        let number = value["status"]?.number
        let status = number.map { "\(JSON.number($0))" } ?? "no response"
        let body = value["body"].flatMap { number == nil || $0 == .null ? nil : "\($0)" }
        let error = value["error"]?["message"]?.string ?? (ok ? nil : "not ok")
        func joined(_ body: String?, _ error: String?) -> String {
            [status, body, error.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
        }
        // Its end says why.
        let shortError = error.map {
            $0.split(separator: "\n").joined(separator: " ").cutInside(toColumns: Self.longestError)
        }
        text = joined(body?.shortened, shortError)
        identity = joined(body, error)
    }
}
