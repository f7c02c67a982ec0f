import RxCommandLine
import RxConfigCommands
import RxControl
import RxPipelines

extension Subcommand {
    static let schema = Subcommand.schema { _ in
        StandardStream.output.print(Plan.schemaText) == nil ? ExitCode.success : ExitCode.failure
    }
}
