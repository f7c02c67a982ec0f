import RxDiagnostics
import RxJSON

/// A line that the daemon sends to `rxwatchctl tap`.
package enum TapLine {
    /// The form in which an event is printed.
    package enum Form: Sendable {
        case text, json
        /// For `rxwatchctl replay`: the events alone.
        case recording
    }

    /// The line as it is printed; `nil` to print nothing.
    ///
    /// - Parameters:
    ///   - bytes: the line.
    ///   - form: the form in which it is printed.
    ///   - missing: the number of lines that are missing before this one in a recording.
    ///   - hasColor: whether a text is red if something has failed, and yellow if lines before it are missing.
    package static func shown(_ bytes: [UInt8], as form: Form, missing: Int = 0, hasColor: Bool = false) -> String? {
        guard let line = try? JSON(parsing: bytes) else { return nil }
        switch form {
        case .json: return line.description
        case .recording:
            guard let node = line["node"], let time = line["time"], let value = line["value"] else { return nil }
            if line["replayed"] == true { return nil }
            var event: JSON = ["node": node, "time": time, "value": value]
            if missing > 0 { event["dropped"] = .number(Double(missing)) }
            return event.description
        case .text:
            let microseconds = line["time"]?.number.flatMap { Int64(exactly: ($0 * 1_000_000).rounded()) } ?? 0
            let head = "\(LocalTime.clock(ofMicroseconds: microseconds))  \(line["node"]?.string ?? "")  "
            let text = head + text(line).shownOnTerminal(indentedBy: head.count)
            return hasColor ? color(of: line)?.applied(to: text) ?? text : text
        }
    }

    /// The number of lines that are missing before this one; `nil` for none.
    package static func missing(in bytes: [UInt8]) -> Int? {
        (try? JSON(parsing: bytes)).flatMap(missing)
    }

    package static func missing(in line: JSON) -> Int? { line["dropped"]?.number.flatMap { Int(exactly: $0) } }

    private static func color(of line: JSON) -> AnswerColor? {
        line["failed"] != nil ? .red : missing(in: line) != nil ? .yellow : nil
    }

    private static func text(_ line: JSON) -> String {
        let lost = missing(in: line).map { " (\($0) lines before it are missing)" } ?? ""
        if let value = line["value"] {
            let shown = ResponseSummary(value)?.text ?? "\(value)"
            return "\(shown)  (\(line["cause"]?.string ?? "")\(line["replayed"] == true ? ", replayed" : ""))\(lost)"
        }
        if let failure = line["failed"]?.string {
            let cause = line["cause"]?.string.flatMap { names($0, in: failure) ? nil : "  (\($0))" } ?? ""
            return "failed\(line["sink"]?.string.map { " at \($0)" } ?? "")"
                + (line["retried"] == true ? ", and tries again" : "") + detail(of: failure, in: line) + cause + lost
        }
        if let cause = line["settled"]?.string { return "settled (\(cause))\(lost)" }
        if let reason = line["dropReason"]?.string {
            let cause = line["cause"]?.string ?? ""
            return "dropped\(line["sink"]?.string.map { " at \($0)" } ?? ""): \(reason)  (\(cause))\(lost)"
        }
        if let pipeline = line["subscriber"]?.string {
            if line["replayed"] == true { return "replayed to \(pipeline) (\(line["cause"]?.string ?? ""))\(lost)" }
            return "\(pipeline) has \(line["state"]?.string ?? "")\(lost)"
        }
        return "\(line["state"]?.string ?? "")\(lost)"
    }

    /// What a failure says after the names of the node and the sink, which are in the line before it.
    private static func detail(of failure: String, in line: JSON) -> String {
        detail(of: failure, at: line["node"]?.string ?? "", line["sink"]?.string)
    }

    /// Whether the message of a failure names the event, as that of a step does: "map failed on tick:0: no good".
    package static func names(_ cause: String, in failure: String) -> Bool { failure.contains(" on \(cause): ") }

    /// What the message of a failure says after the names of the node and the sink, such as ": no route".
    package static func detail(of failure: String, at node: String, _ sink: String?) -> String {
        let subject = sink.map { "\(node): \($0) failed" } ?? "\(node) failed"
        let rest = failure.dropFirst(subject.count)
        let isNamed = failure.hasPrefix(subject) && (rest.hasPrefix(": ") || rest.hasPrefix(", "))
        return isNamed ? String(rest) : ": \(failure)"
    }
}
