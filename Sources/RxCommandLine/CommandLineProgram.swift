/// A program's command line: its verbs with their options and operands, from which arguments are parsed and the help is
/// made.
///
/// Options may stand before and after the verb and among the operands, as `--name value` or `--name=value`; `--` ends
/// them.
package struct CommandLineProgram: Sendable {
    let name: String
    let version: String
    /// In the order of the help. The only one of a program without verbs has no name.
    package let verbs: [Verb]
    let notes: String

    /// A program with verbs, such as `rxwatchctl check`.
    ///
    /// - Parameter notes: the end of the help.
    package init(_ name: String, version: String, _ verbs: [Verb], notes: String) {
        self.name = name
        self.version = version
        self.verbs = verbs
        self.notes = notes
    }

    /// A program without verbs.
    package init(
        _ name: String, version: String, options: [CommandLineOption], operands: [Operand] = [], notes: String,
        run: @escaping Verb.Run
    ) {
        self.init(name, version: version, [Verb("", "", operands, options, run: run)], notes: notes)
    }

    /// Parses the arguments and runs the verb; prints the help or the version if they ask for it.
    ///
    /// - Parameters:
    ///   - usageError: the exit code for arguments that are wrong.
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

    /// `rxwatchctl: unknown option '--jsn'; did you mean --json?`
    package func message(for error: UsageError) -> String {
        let words = [name, error.verb ?? "", "--help"].filter { !$0.isEmpty }
        return "\(name): \(error.problem); \(error.hint ?? "see \(words.joined(separator: " "))")"
    }
}

/// A command of a program, such as `check` in `rxwatchctl check`.
package struct Verb: Sendable {
    /// Returns the exit code.
    package typealias Run = @Sendable (Arguments) throws(UsageError) -> Int32

    package let name: String
    let help: String
    let operands: [Operand]
    package let options: [CommandLineOption]
    private let run: Run

    /// - Parameter help: what it does: a verb in the imperative, without a full stop.
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

    /// Those that every verb takes included.
    var allOptions: [CommandLineOption] { options + CommandLineOption.standard }

    func callAsFunction(_ arguments: Arguments) throws(UsageError) -> Int32 {
        do {
            return try run(arguments)
        } catch {
            throw error.of(self)
        }
    }
}
