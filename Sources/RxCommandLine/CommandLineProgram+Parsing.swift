import RxDiagnostics

extension CommandLineProgram {
    /// The action that the arguments request.
    package enum Invocation {
        /// The help of a subcommand, or of the program for `nil`.
        case help(Subcommand?)
        case version
        case run(Subcommand, Arguments)
    }

    package func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        var parser = Parser(program: self, rest: arguments[...])
        do {
            return try parser.parse()
        } catch {
            throw error.of(parser.subcommand)
        }
    }
}

/// Parses the arguments of one call of a program.
private struct Parser {
    let program: CommandLineProgram
    var rest: ArraySlice<String>
    /// The subcommand, once it is known.
    var subcommand: Subcommand?
    private var given: [CommandLineOption] = []
    private var arguments = Arguments()

    init(program: CommandLineProgram, rest: ArraySlice<String>) {
        self.program = program
        self.rest = rest
        if let only = program.subcommands.first, only.name.isEmpty { subcommand = only }
    }

    mutating func parse() throws(UsageError) -> CommandLineProgram.Invocation {
        var isAfterOptions = false
        while let argument = rest.popFirst() {
            if !isAfterOptions, argument == "--" {
                isAfterOptions = true
            } else if !isAfterOptions, argument.hasPrefix("-"), argument != "-" {
                try readOption(argument)
            } else if subcommand != nil {
                arguments.operands.append(argument)
            } else {
                subcommand = try knownSubcommand(argument)
            }
        }
        if given.contains(.help) { return .help(program.subcommands.count > 1 ? subcommand : nil) }
        if given.contains(.version) { return .version }
        guard let subcommand else { throw UsageError("a command is needed") }
        // Options before the subcommand may belong to another subcommand.
        for option in given where !subcommand.allOptions.contains(where: { $0.name == option.name }) {
            throw unknown(option.name)
        }
        for group in subcommand.exclusive {
            let both = group.filter(given.contains)
            if both.count > 1 { throw UsageError("\(both[0].name) and \(both[1].name) exclude each other") }
        }
        try check(subcommand.operands)
        arguments.declared = subcommand.operands
        return .run(subcommand, arguments)
    }

    private func knownSubcommand(_ name: String) throws(UsageError) -> Subcommand {
        if let subcommand = program.subcommands.first(where: { $0.name == name }) { return subcommand }
        let near = NearestName.name(to: name, in: program.subcommands.map(\.name))
        throw UsageError("unknown command '\(name)'", hint: near.map { "did you mean \($0)?" })
    }

    /// The options that are valid here: those of every subcommand until the subcommand is known. Therefore an option of one name
    /// takes a value in all subcommands or in none.
    private var known: [CommandLineOption] {
        subcommand?.allOptions ?? program.subcommands.flatMap(\.allOptions)
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
        let near = NearestName.name(to: String(name.drop { $0 == "-" }), in: known.map { String($0.name.dropFirst(2)) })
        return UsageError("unknown option '\(name)'", hint: near.map { "did you mean --\($0)?" })
    }

    private func check(_ operands: [Operand]) throws(UsageError) {
        let isLimited = !operands.contains { $0.count == .repeated }
        if isLimited, operands.count < arguments.operands.count {
            let unexpected = arguments.operands[operands.count]
            let isConfig = unexpected.hasSuffix(".yaml") || unexpected.hasSuffix(".yml")
            let takesConfig = isConfig && known.contains { $0.name == "--config" }
            throw UsageError(
                "unexpected argument '\(unexpected)'",
                hint: takesConfig ? "give the configuration with --config" : nil)
        }
        for operand in operands.dropFirst(arguments.operands.count) where operand.count == .required {
            throw UsageError("\(operand.name) is missing")
        }
    }
}
