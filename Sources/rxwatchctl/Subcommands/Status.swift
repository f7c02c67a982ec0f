import RxCommandLine

extension Subcommand {
    static let status = Subcommand(
        "status", "print the status of the daemon", [], [.json, .control]
    ) { arguments in
        ControlClient(path: arguments[.control]).run(.status, asJSON: arguments.contains(.json))
    }
}
