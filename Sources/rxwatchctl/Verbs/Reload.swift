import RxCommandLine

extension Verb {
    static let reload = Verb(
        "reload", "have the daemon read its config again; a bad one changes nothing", [], [.json, .control]
    ) { arguments in
        ControlClient(path: arguments[.control]).run(.reload, asJSON: arguments.contains(.json))
    }
}
