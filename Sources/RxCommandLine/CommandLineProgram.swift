/// The command line of a program: its subcommands with their options and operands, which define the parsing and the help.
///
/// Options may precede and follow the subcommand and the operands, as `--name value` or `--name=value`; `--` ends them.
package struct CommandLineProgram: Sendable {
    let name: String
    let version: String
    /// The subcommands in the order of the help. A program without subcommands has one without a name.
    package let subcommands: [Subcommand]
    let notes: String

    /// Creates a program with subcommands, such as `rxwatchctl check`.
    ///
    /// - Parameters:
    ///   - name: the name of the program.
    ///   - version: the text of `--version`.
    ///   - subcommands: the subcommands in the order of the help.
    ///   - notes: the end of the help.
    package init(_ name: String, version: String, _ subcommands: [Subcommand], notes: String) {
        self.name = name
        self.version = version
        self.subcommands = subcommands
        self.notes = notes
    }

    /// Creates a program without subcommands.
    package init(
        _ name: String, version: String, options: [CommandLineOption], exclusive: [[CommandLineOption]] = [],
        operands: [Operand] = [], notes: String, run: @escaping Subcommand.Run
    ) {
        self.init(
            name, version: version, [Subcommand("", "", operands, options, exclusive: exclusive, run: run)],
            notes: notes)
    }

    /// Parses the arguments and runs the subcommand, or prints the help or the version if they ask for it.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the name of the program.
    ///   - usageError: the exit code for wrong arguments.
    ///   - output: prints lines on standard output.
    ///   - errors: prints lines on standard error.
    /// - Returns: the exit code.
    package func run(
        _ arguments: [String], usageError: Int32, output: (String) -> Void, errors: (String) -> Void
    ) -> Int32 {
        do {
            switch try parse(arguments) {
            case .help(let subcommand): output(help(of: subcommand))
            case .version: output("\(name) \(version)")
            case .run(let subcommand, let arguments): return try subcommand(arguments)
            }
            return 0
        } catch {
            errors(message(for: error))
            return usageError
        }
    }

    /// Returns the message of an error: `rxwatchctl: unknown option '--jsn'; did you mean --json?`
    package func message(for error: UsageError) -> String {
        let words = [name, error.subcommand ?? "", "--help"].filter { !$0.isEmpty }
        return "\(name): \(error.problem); \(error.hint ?? "see \(words.joined(separator: " "))")"
    }
}

/// A command of a program, such as `check` in `rxwatchctl check`.
package struct Subcommand: Sendable {
    /// A closure that runs the subcommand and returns the exit code.
    package typealias Run = @Sendable (Arguments) throws(UsageError) -> Int32

    package let name: String
    let help: String
    let operands: [Operand]
    package let options: [CommandLineOption]
    /// The groups of options of which one at most may be given.
    let exclusive: [[CommandLineOption]]
    /// A command line for `--help`, with the name of the program; empty if there is none.
    package let example: String
    private let run: Run

    /// Creates a subcommand.
    ///
    /// - Parameters:
    ///   - name: the name of the subcommand.
    ///   - help: the text for `--help`: a verb in the imperative, without a full stop.
    ///   - operands: the operands in their order.
    ///   - options: the options besides those that every subcommand accepts.
    ///   - exclusive: the groups of options of which one at most may be given.
    ///   - example: a command line for `--help`, with the name of the program.
    ///   - run: runs the subcommand and returns the exit code.
    package init(
        _ name: String, _ help: String, _ operands: [Operand] = [], _ options: [CommandLineOption] = [],
        exclusive: [[CommandLineOption]] = [], example: String = "", run: @escaping Run
    ) {
        self.name = name
        self.help = help
        self.operands = operands
        self.options = options
        self.exclusive = exclusive
        self.example = example
        self.run = run
    }

    /// The options of the subcommand and those that every subcommand accepts.
    var allOptions: [CommandLineOption] { options + CommandLineOption.standard }

    func callAsFunction(_ arguments: Arguments) throws(UsageError) -> Int32 {
        do {
            return try run(arguments)
        } catch {
            throw error.of(self)
        }
    }
}
