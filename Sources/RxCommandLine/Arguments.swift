/// The arguments of a verb, as its declaration describes them.
package struct Arguments: Sendable, Equatable {
    /// The values of the options that were given, in order; of one without a value, an empty text.
    var values: [String: [String]] = [:]
    /// The operands that were given.
    package internal(set) var operands: [String] = []
    /// The operands that were declared.
    var declared: [Operand] = []

    /// Whether the option was given.
    package func contains(_ option: CommandLineOption) -> Bool {
        values[option.name] != nil
    }

    /// The value of the option that was given last, or its default; empty if it has none.
    package subscript(option: CommandLineOption) -> String {
        values[option.name]?.last ?? option.defaultValue ?? ""
    }

    /// The operand, or its default; empty if it has none. Of a repeated one, the first.
    package subscript(operand: Operand) -> String {
        guard let index = declared.firstIndex(of: operand), index < operands.count else {
            return operand.defaultValue ?? ""
        }
        return operands[index]
    }
}

/// A mistake in a command line.
package struct UsageError: Error, Equatable {
    /// What is wrong, such as `unknown option '--jsn'`.
    package let problem: String
    /// What would be right; `nil` where the help says it.
    package let hint: String?
    /// The verb whose help says what would be right; `nil` for that of the program.
    var verb: String?

    package init(_ problem: String, hint: String? = nil) {
        self.problem = problem
        self.hint = hint
    }

    /// The same mistake, in the command line of this verb.
    func of(_ verb: Verb?) -> UsageError {
        var error = self
        error.verb = verb?.name
        return error
    }
}
