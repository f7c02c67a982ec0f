import RxPipelines

/// The operator's command line.
enum Tool {
    static let usage = """
        usage: rxwatchctl check [--json] [PATH]
               rxwatchctl reload|status [--json] [--control PATH]

          check [PATH]    say what is wrong with a config, by default \(Plan.standardPath)
          reload          have the running daemon go by its config as it is now; a bad one changes nothing
          status          say how the running daemon is doing
          --json          answer as JSON
          --control PATH  where the daemon listens, by default \(ControlRequest.standardPath)
          --version       print the version
          --help          print this

        Exits with 0 if all is well, 78 if the config is bad and 1 otherwise. See rxwatchctl(1).
        """

    static func run(arguments: [String]) -> Int32 {
        StandardStream.openMissing()
        JQProgram.isolate()
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "check":
            let paths = rest.filter { $0 != "--json" }
            guard paths.count <= 1, paths.first?.hasPrefix("--") != true else { return misuse("check takes one path") }
            return ConfigCheck.run(paths.first ?? Plan.standardPath, asJSON: rest.contains("--json"))
        case "--version": print("rxwatchctl \(version)")
        case "--help", "-h": print(usage)
        case nil: return misuse("a command is needed")
        case let name?:
            guard let request = ControlRequest(rawValue: name) else { return misuse("unknown command '\(name)'") }
            do {
                return try Question(request, rest).ask()
            } catch {
                return misuse(error.message)
            }
        }
        return ExitCode.success
    }

    private static func misuse(_ problem: String) -> Int32 {
        StandardStream.error.print("rxwatchctl: \(problem); see rxwatchctl --help")
        return ExitCode.failure
    }
}
