/// The text of JSON values.
enum JSONText {
    /// A JSON string.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1f}", "\u{7f}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A JSON object of members whose values are JSON; a member without a value is left out.
    static func object(_ members: [(name: String, value: String?)]) -> String {
        let written = members.compactMap { member in member.value.map { "\(quoted(member.name)):\($0)" } }
        return "{\(written.joined(separator: ","))}"
    }

    /// A JSON array of elements that are JSON.
    static func array(_ elements: [String]) -> String {
        "[\(elements.joined(separator: ","))]"
    }

    /// A duration as a number of seconds, with milliseconds.
    static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = String(attoseconds / 1_000_000_000_000_000)
        return "\(seconds)." + String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
    }
}
