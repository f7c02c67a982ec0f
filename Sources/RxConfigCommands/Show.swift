import RxCommandLine
import RxControl

extension Subcommand {
    /// `rxwatchctl show`.
    package static func show(run: @escaping Run) -> Subcommand {
        Subcommand(
            "show", "print the merged configuration, and where each part of it comes from", [.config], [.json],
            example: "rxwatchctl show", run: run)
    }
}
