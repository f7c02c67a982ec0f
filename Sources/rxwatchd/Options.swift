import RxPipelines

/// What the command line asks for.
struct Options: Equatable {
    enum Action: Equatable {
        case run, check, version, help
    }

    var action = Action.run
    var config = Plan.standardPath

    static let usage = """
        usage: rxwatchd [--config PATH] [--check]

          --config PATH   read this file, or rxwatchd.yaml and rxwatchd.d/*.yaml in this directory, instead of
                          these in \(Plan.standardPath)
          --check         say whether the config is good, and exit: 0 if it is, 78 if not
          --version       print the version
          --help          print this

        See rxwatchd(8) and rxwatchd.yaml(5).
        """

    struct Misuse: Error, Equatable {
        let message: String
    }

    init(_ arguments: [String]) throws(Misuse) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--config":
                guard let path = rest.popFirst() else { throw Misuse(message: "--config needs a path") }
                config = try Self.checked(path)
            case "--check": action = .check
            case "--version": action = .version
            case "--help", "-h": action = .help
            default:
                guard argument.hasPrefix("--config=") else {
                    throw Misuse(message: "unknown argument '\(argument)'; see rxwatchd --help")
                }
                config = try Self.checked(String(argument.dropFirst("--config=".count)))
            }
        }
    }

    /// The path, unless an option stands where it belongs.
    private static func checked(_ path: String) throws(Misuse) -> String {
        guard !path.hasPrefix("--") else {
            throw Misuse(message: "--config needs a path, not '\(path)'; a file of that name is ./\(path)")
        }
        return path
    }
}
