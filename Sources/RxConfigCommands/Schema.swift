import RxCommandLine
import RxControl

extension Subcommand {
    /// `rxwatchctl schema`.
    package static func schema(run: @escaping Run) -> Subcommand {
        Subcommand(
            "schema", "print the JSON schema of a configuration", example: "rxwatchctl schema >rxwatchd.schema.json",
            run: run)
    }
}
