import Glibc
import RxDiagnostics
import RxJSON

/// The daemon's answer to a ``ControlRequest``.
package struct ControlAnswer: Sendable, Equatable {
    /// The exit code of the client.
    package let exitCode: Int32
    /// The answer as text for a terminal.
    package let message: String
    /// The answer's data for programs.
    package let details: JSON

    /// Creates an answer.
    package init(_ message: String, exitCode: Int32 = ExitCode.success, details: JSON = .null) {
        self.exitCode = exitCode
        self.message = message
        self.details = details
    }

    /// The answer as JSON.
    package var json: JSON {
        ["exit": .number(Double(exitCode)), "message": .string(message), "details": details]
    }

    /// The bytes of the answer: a line of JSON.
    package var bytes: [UInt8] { json.bytes + [UInt8(ascii: "\n")] }

    /// Parses an answer; `nil` if it is malformed.
    package init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let message = json["message"]?.string,
            let code = json["exit"]?.number.flatMap({ Int32(exactly: $0) })
        else { return nil }
        self.init(message, exitCode: code, details: json["details"] ?? .null)
    }
}

extension ControlAnswer {
    /// Prints the answer as text or as JSON.
    ///
    /// A text goes to standard output if it is a success and to standard error if not; JSON always to standard output.
    ///
    /// - Parameters:
    ///   - asJSON: whether to print it as JSON.
    ///   - breaksLines: whether lines of a text that are too long for a terminal are broken.
    /// - Returns: the exit code: that of the answer, or a failure if it could not be written.
    package func print(asJSON: Bool, breaksLines: Bool = true) -> Int32 {
        let stream = asJSON || exitCode == ExitCode.success ? StandardStream.output : .error
        return stream.print(self, asJSON: asJSON, breaksLines: breaksLines)
    }

    /// The text that ``print(asJSON:)`` prints, without anything that controls a terminal.
    ///
    /// A message can have names of files, texts of servers and errors of expressions in it.
    package func text(asJSON: Bool) -> String {
        asJSON ? json.description : message.shownOnTerminal(indentedBy: 0)
    }
}

extension StandardStream {
    /// Prints an answer, with colors if this is a terminal that has them: an error of which no line has one is red.
    ///
    /// - Returns: its exit code, or a failure if it could not be written.
    package func print(_ answer: ControlAnswer, asJSON: Bool, breaksLines: Bool = true) -> Int32 {
        let text = answer.text(asJSON: asJSON)
        let columns = breaksLines ? columns : nil
        let plain = asJSON ? text : AnswerColor.shown(text, columns: columns, hasColor: false)
        let shown = asJSON || !hasColor ? plain : AnswerColor.shown(text, columns: columns, hasColor: true)
        let isPlainError = self == .error && answer.exitCode != ExitCode.success && shown == plain
        let number = isPlainError ? print(plain, in: .red) : print(shown)
        guard let number else { return answer.exitCode }
        // A reader that has gone needs no message.
        if self == .output, number != EPIPE {
            StandardStream.error.print("cannot write the answer: \(String(cString: strerror(number)))")
        }
        return ExitCode.failure
    }
}
