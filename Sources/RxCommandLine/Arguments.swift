import RxDiagnostics

/// The parsed arguments of a subcommand.
package struct Arguments: Sendable, Equatable {
    /// The values of the given options in order; an option without a value has an empty text.
    var values: [String: [String]] = [:]
    /// The given operands.
    package internal(set) var operands: [String] = []
    /// The declared operands.
    var declared: [Operand] = []

    /// Whether the option was given.
    package func contains(_ option: CommandLineOption) -> Bool {
        values[option.name] != nil
    }

    /// The last value of the option, or its default; empty if it has none.
    package subscript(option: CommandLineOption) -> String {
        values[option.name]?.last ?? option.defaultValue ?? ""
    }

    /// All values of an option that may be repeated.
    package func all(_ option: CommandLineOption) -> [String] { values[option.name] ?? [] }

    /// The value of an option that is a duration.
    package func duration(_ option: CommandLineOption) throws(UsageError) -> Duration {
        do {
            return try SystemdDuration.parse(self[option])
        } catch {
            throw UsageError("\(option.name): \(error.message)")
        }
    }

    /// The operand, or its default; empty if it has none. The first one if it is repeated.
    package subscript(operand: Operand) -> String {
        guard let index = declared.firstIndex(of: operand), index < operands.count else {
            return operand.defaultValue ?? ""
        }
        return operands[index]
    }
}

/// An error in a command line.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The error, such as `unknown option '--jsn'`.
    package let problem: String
    /// The advice what to write instead; `nil` if the help says it.
    package let hint: String?
    /// The subcommand whose help says what to write instead; `nil` for the help of the program.
    var subcommand: String?

    package init(_ problem: String, hint: String? = nil) {
        self.problem = problem
        self.hint = hint
    }

    package var description: String { hint.map { "\(problem); \($0)" } ?? problem }

    /// Returns the error as one in the command line of a subcommand.
    func of(_ subcommand: Subcommand?) -> UsageError {
        var error = self
        error.subcommand = subcommand?.name
        return error
    }
}
