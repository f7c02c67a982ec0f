import RxCommandLine
import RxPipelines

extension Subcommand {
    static let show = Subcommand(
        "show", "print the merged configuration, and where each part of it comes from", [.config], [.json],
        example: "rxwatchctl show"
    ) { arguments in
        ConfigShow.run(arguments[.config], asJSON: arguments.contains(.json))
    }
}
