import RxDiagnostics

extension CommandLineProgram {
    /// The action that the arguments request.
    package enum Invocation {
        /// The help of a verb, or of the program for `nil`.
        case help(Verb?)
        case version
        case run(Verb, Arguments)
    }

    package func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        var parser = Parser(program: self, rest: arguments[...])
        do {
            return try parser.parse()
        } catch {
            throw error.of(parser.verb)
        }
    }
}

private struct Parser {
    let program: CommandLineProgram
    var rest: ArraySlice<String>
    /// The verb, once it is known.
    var verb: Verb?
    private var given: [CommandLineOption] = []
    private var arguments = Arguments()

    init(program: CommandLineProgram, rest: ArraySlice<String>) {
        self.program = program
        self.rest = rest
        if let only = program.verbs.first, only.name.isEmpty { verb = only }
    }

    mutating func parse() throws(UsageError) -> CommandLineProgram.Invocation {
        var isAfterOptions = false
        while let argument = rest.popFirst() {
            if !isAfterOptions, argument == "--" {
                isAfterOptions = true
            } else if !isAfterOptions, argument.hasPrefix("-"), argument != "-" {
                try readOption(argument)
            } else if verb != nil {
                arguments.operands.append(argument)
            } else {
                verb = try knownVerb(argument)
            }
        }
        if given.contains(.help) { return .help(program.verbs.count > 1 ? verb : nil) }
        if given.contains(.version) { return .version }
        guard let verb else { throw UsageError("a command is needed") }
        // Options before the verb may belong to another verb.
        for option in given where !verb.allOptions.contains(where: { $0.name == option.name }) {
            throw unknown(option.name)
        }
        try check(verb.operands)
        arguments.declared = verb.operands
        return .run(verb, arguments)
    }

    private func knownVerb(_ name: String) throws(UsageError) -> Verb {
        if let verb = program.verbs.first(where: { $0.name == name }) { return verb }
        let near = Nearest.name(to: name, in: program.verbs.map(\.name))
        throw UsageError("unknown command '\(name)'", hint: near.map { "did you mean \($0)?" })
    }

    /// The options that are valid here: those of every verb until the verb is known. Therefore an option of one name
    /// takes a value in all verbs or in none.
    private var known: [CommandLineOption] {
        verb?.allOptions ?? program.verbs.flatMap(\.allOptions)
    }

    private mutating func readOption(_ argument: String) throws(UsageError) {
        let equals = argument.firstIndex(of: "=")
        let name = equals.map { String(argument[..<$0]) } ?? argument
        guard let option = known.first(where: { $0.name == name || $0.short == name }) else { throw unknown(name) }
        given.append(option)
        let attached = equals.map { String(argument[argument.index(after: $0)...]) }
        let value: String
        switch (option.value, attached) {
        case (nil, nil): value = ""
        case (nil, _?): throw UsageError("option '\(name)' takes no value")
        case (_?, let text?): value = text
        case (let needed?, nil): value = try nextValue(of: name, needed)
        }
        arguments.values[option.name, default: []].append(value)
    }

    /// Returns the argument after an option, unless it is an option itself.
    private mutating func nextValue(of name: String, _ needed: String) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError("option '\(name)' needs a \(needed)") }
        guard !value.hasPrefix("--") else {
            throw UsageError(
                "option '\(name)' needs a \(needed), and '\(value)' follows",
                hint: "write \(name)=\(value) if that is the \(needed)")
        }
        return value
    }

    private func unknown(_ name: String) -> UsageError {
        let near = Nearest.name(to: String(name.drop { $0 == "-" }), in: known.map { String($0.name.dropFirst(2)) })
        return UsageError("unknown option '\(name)'", hint: near.map { "did you mean --\($0)?" })
    }

    private func check(_ operands: [Operand]) throws(UsageError) {
        let isLimited = !operands.contains { $0.count == .repeated }
        if isLimited, operands.count < arguments.operands.count {
            throw UsageError("unexpected argument '\(arguments.operands[operands.count])'")
        }
        for operand in operands.dropFirst(arguments.operands.count) where operand.count == .required {
            throw UsageError("\(operand.name) is missing")
        }
    }
}
