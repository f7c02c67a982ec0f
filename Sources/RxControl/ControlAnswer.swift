import RxJSON

/// What the daemon answers to a ``ControlRequest``.
package struct ControlAnswer: Sendable, Equatable {
    /// What whoever asked exits with.
    package let exitCode: Int32
    /// What is to be said, in words.
    package let message: String
    /// The same for programs.
    package let details: JSON

    package init(_ message: String, exitCode: Int32 = ExitCode.success, details: JSON = .null) {
        self.exitCode = exitCode
        self.message = message
        self.details = details
    }

    package var json: JSON {
        ["exit": .number(Double(exitCode)), "message": .string(message), "details": details]
    }

    package var bytes: [UInt8] { json.bytes + [UInt8(ascii: "\n")] }

    /// Reads an answer; `nil` where it is none.
    package init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let message = json["message"]?.string,
            let code = json["exit"]?.number.flatMap({ Int32(exactly: $0) })
        else { return nil }
        self.init(message, exitCode: code, details: json["details"] ?? .null)
    }
}

extension ControlAnswer {
    /// Prints the answer: in words on standard output if it is a good one, else on standard error; as JSON, for
    /// programs, on standard output in any case.
    package func print(asJSON: Bool) {
        let stream = asJSON || exitCode == ExitCode.success ? StandardStream.output : .error
        stream.print(asJSON ? json.description : message)
    }
}
