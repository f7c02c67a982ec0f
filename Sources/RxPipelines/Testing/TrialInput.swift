import RxDiagnostics
import RxJSON

/// A value that a node of a trial emits or receives, and when.
struct TrialInput: Sendable, Equatable {
    let node: String
    /// After the beginning of the trial.
    let time: Duration
    let value: JSON
    /// Whether the node emits the value before all others, also if it is a pipeline that would get it.
    var isInitial = false

    /// An error in the text of inputs.
    struct Failure: Error, Equatable {
        let message: String
    }

    /// The values in a text for one node: a value of JSON, or one in each line.
    ///
    /// - Parameter every: the time between two of them.
    static func values(_ bytes: [UInt8], for node: String, every: Duration) throws(Failure) -> [TrialInput] {
        if let value = try? JSON(parsing: bytes) { return [TrialInput(node: node, time: .zero, value: value)] }
        let none = "there is no event; give one as JSON, such as {\"path\": \"/etc/x\"}"
        return try lines(bytes, orElse: none).enumerated().map { index, line in
            TrialInput(node: node, time: every * index, value: line.value)
        }
    }

    /// The events of a recording: in each line an object with the members `node`, `value` and, in seconds, `time`.
    static func recording(_ bytes: [UInt8]) throws(Failure) -> [TrialInput] {
        var found: [(node: String, time: Double, value: JSON)] = []
        let none = "there is no recorded event; make a recording with 'rxwatchctl tap --record'"
        for (number, line) in try lines(bytes, orElse: none) {
            guard let node = line["node"]?.string, let value = line["value"] else {
                throw Failure(
                    message: "line \(number) is not a recorded event: expected an object such as "
                        + #"{"node": "tick", "time": 1.5, "value": {"tick": 0}}"#)
            }
            guard let seconds = (line["time"] ?? .number(0)).number, abs(seconds) < 1e11 else {
                throw Failure(message: "line \(number): 'time' is not a number of seconds")
            }
            found.append((node, seconds, value))
        }
        let start = found.map(\.time).min() ?? 0
        return found.map { event in
            TrialInput(
                node: event.node, time: .microseconds(Int(((event.time - start) * 1_000_000).rounded())),
                value: event.value)
        }
    }

    private static func lines(_ bytes: [UInt8], orElse none: String) throws(Failure) -> [(number: Int, value: JSON)] {
        var values: [(number: Int, value: JSON)] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }) {
            do {
                values.append((index + 1, try JSON(parsing: Array(line))))
            } catch {
                // The error says so, too, and counts the lines of what was parsed.
                let reason = error.message.replacing("not JSON: ", with: "", maxReplacements: 1)
                    .replacing(" at line 1, byte ", with: " at byte ")
                throw Failure(
                    message:
                        "line \(index + 1) is not JSON: \(reason); write each event on a line of its own, as jq -c "
                        + "prints it")
            }
        }
        if values.isEmpty { throw Failure(message: none) }
        return values
    }
}
