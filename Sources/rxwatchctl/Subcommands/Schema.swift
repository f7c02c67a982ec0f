import RxCommandLine
import RxControl
import RxPipelines

extension Subcommand {
    static let schema = Subcommand(
        "schema", "print the JSON schema of a configuration", example: "rxwatchctl schema >rxwatchd.schema.json"
    ) { _ in
        StandardStream.output.print(Plan.schemaText) == nil ? ExitCode.success : ExitCode.failure
    }
}
