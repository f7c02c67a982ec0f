/// The command line of a program: its verbs with their options and operands, which define the parsing and the help.
///
/// Options may precede and follow the verb and the operands, as `--name value` or `--name=value`; `--` ends them.
package struct CommandLineProgram: Sendable {
    let name: String
    let version: String
    /// The verbs in the order of the help. A program without verbs has one without a name.
    package let verbs: [Verb]
    let notes: String

    /// Creates a program with verbs, such as `rxwatchctl check`.
    ///
    /// - Parameters:
    ///   - name: the name of the program.
    ///   - version: the text of `--version`.
    ///   - verbs: the verbs in the order of the help.
    ///   - notes: the end of the help.
    package init(_ name: String, version: String, _ verbs: [Verb], notes: String) {
        self.name = name
        self.version = version
        self.verbs = verbs
        self.notes = notes
    }

    /// Creates a program without verbs.
    package init(
        _ name: String, version: String, options: [CommandLineOption], operands: [Operand] = [], notes: String,
        run: @escaping Verb.Run
    ) {
        self.init(name, version: version, [Verb("", "", operands, options, run: run)], notes: notes)
    }

    /// Parses the arguments and runs the verb, or prints the help or the version if they ask for it.
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
            case .help(let verb): output(help(of: verb))
            case .version: output("\(name) \(version)")
            case .run(let verb, let arguments): return try verb(arguments)
            }
            return 0
        } catch {
            errors(message(for: error))
            return usageError
        }
    }

    /// Returns the message of an error: `rxwatchctl: unknown option '--jsn'; did you mean --json?`
    package func message(for error: UsageError) -> String {
        let words = [name, error.verb ?? "", "--help"].filter { !$0.isEmpty }
        return "\(name): \(error.problem); \(error.hint ?? "see \(words.joined(separator: " "))")"
    }
}

/// A command of a program, such as `check` in `rxwatchctl check`.
package struct Verb: Sendable {
    /// A closure that runs the verb and returns the exit code.
    package typealias Run = @Sendable (Arguments) throws(UsageError) -> Int32

    package let name: String
    let help: String
    let operands: [Operand]
    package let options: [CommandLineOption]
    private let run: Run

    /// Creates a verb.
    ///
    /// - Parameters:
    ///   - name: the name of the verb.
    ///   - help: the text for `--help`: a verb in the imperative, without a full stop.
    ///   - operands: the operands in their order.
    ///   - options: the options besides those that every verb accepts.
    ///   - run: runs the verb and returns the exit code.
    package init(
        _ name: String, _ help: String, _ operands: [Operand] = [], _ options: [CommandLineOption] = [],
        run: @escaping Run
    ) {
        self.name = name
        self.help = help
        self.operands = operands
        self.options = options
        self.run = run
    }

    /// The options of the verb and those that every verb accepts.
    var allOptions: [CommandLineOption] { options + CommandLineOption.standard }

    func callAsFunction(_ arguments: Arguments) throws(UsageError) -> Int32 {
        do {
            return try run(arguments)
        } catch {
            throw error.of(self)
        }
    }
}
