import RxCommandLine
import RxPipelines

extension Verb {
    static let check = Verb(
        "check", "check a configuration without running it", [.config], [.json]
    ) { arguments in
        ConfigCheck.run(arguments[.config], for: .check, asJSON: arguments.contains(.json))
    }
}

extension Operand {
    fileprivate static let config = optional(
        "PATH", default: Plan.standardPath, "the file or directory of the configuration")
}
