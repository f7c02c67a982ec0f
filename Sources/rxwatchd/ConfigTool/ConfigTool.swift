import RxCommandLine
import RxControl
import RxJQ
import RxLinux

/// The commands of rxwatchctl that read a configuration or the journal.
///
/// rxwatchctl runs this program for them, so that it needs none of the libraries itself.
enum ConfigTool {
    /// The name that rxwatchctl runs this program with.
    static let name = "rxwatchctl"

    static let commandLine = CommandLineProgram(
        name, version: version, [.check, .test, .try, .replay, .show, .schema, .why], notes: "")

    /// Runs the command that the arguments name.
    ///
    /// - Returns: the exit code.
    static func run(arguments: [String]) -> Int32 {
        StandardStream.openMissing()
        Command.hide(JQProgram.homeVariable)
        return commandLine.run(
            arguments, usageError: ExitCode.failure, output: { StandardStream.output.print($0) },
            errors: { StandardStream.error.print($0, in: .red) })
    }
}
