import RxPipelines

/// The operator's command line.
enum Tool {
    static let usage = """
        usage: rxwatchctl check [PATH]

          check [PATH]    say what is wrong with a config, by default \(Plan.standardPath)
          --version       print the version
          --help          print this

        Exits with 0 if all is well, 78 if the config is bad and 1 otherwise. See rxwatchctl(1).
        """

    static func run(arguments: [String]) -> Int32 {
        StandardStream.openMissing()
        JQProgram.isolate()
        switch arguments.first {
        case "check" where arguments.count == 1 || arguments.count == 2 && !arguments[1].hasPrefix("--"):
            return ConfigCheck.run(arguments.count == 2 ? arguments[1] : Plan.standardPath)
        case "--version": print("rxwatchctl \(version)")
        case "--help", "-h": print(usage)
        case nil: return misuse("a command is needed")
        case "check": return misuse("check takes one path")
        case let other?: return misuse("unknown command '\(other)'")
        }
        return ExitCode.success
    }

    private static func misuse(_ problem: String) -> Int32 {
        StandardStream.error.print("rxwatchctl: \(problem); see rxwatchctl --help")
        return ExitCode.failure
    }
}
