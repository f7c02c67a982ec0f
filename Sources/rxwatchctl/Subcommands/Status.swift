import RxCommandLine

extension Verb {
    static let status = Verb(
        "status", "print the status of the daemon", [], [.json, .control]
    ) { arguments in
        ControlClient(path: arguments[.control]).run(.status, asJSON: arguments.contains(.json))
    }
}
