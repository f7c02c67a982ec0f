import RxCommandLine
import RxPipelines

extension Subcommand {
    static let check = Subcommand(
        "check", "check a configuration without running it", [.config], [.json]
    ) { arguments in
        ConfigCheck.run(arguments[.config], for: .check, asJSON: arguments.contains(.json))
    }
}
