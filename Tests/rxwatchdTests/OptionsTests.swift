import Testing

@testable import rxwatchd

struct OptionsTests {
    @Test(arguments: [
        ("", Options.Action.run, "/etc/rxwatchd, /run/rxwatchd, /usr/lib/rxwatchd"),
        ("--config a.yaml", .run, "a.yaml"),
        ("--config=a.yaml", .run, "a.yaml"),
        ("--config=a=b.yaml", .run, "a=b.yaml"),
        ("--config=", .run, ""),
        ("--config a.yaml --config b.yaml", .run, "b.yaml"),
        ("--config ./--check", .run, "./--check"),
        ("--check", .check, "/etc/rxwatchd, /run/rxwatchd, /usr/lib/rxwatchd"),
        ("--check --config a.yaml", .check, "a.yaml"),
        ("--config a.yaml --check", .check, "a.yaml"),
        ("--version", .version, "/etc/rxwatchd, /run/rxwatchd, /usr/lib/rxwatchd"),
        ("--help", .help, "/etc/rxwatchd, /run/rxwatchd, /usr/lib/rxwatchd"),
        ("-h", .help, "/etc/rxwatchd, /run/rxwatchd, /usr/lib/rxwatchd"),
    ])
    func goodArguments(line: String, action: Options.Action, config: String) throws {
        let options = try Options(line.split(separator: " ").map(String.init))
        #expect(options.action == action && options.config == config)
    }

    @Test(arguments: [
        ("--config", "--config needs a path"),
        ("--check --config", "--config needs a path"),
        ("--config --check", "--config needs a path, not '--check'; a file of that name is ./--check"),
        ("--config=--check", "--config needs a path, not '--check'; a file of that name is ./--check"),
        ("--chekc", "unknown argument '--chekc'; see rxwatchd --help"),
        ("a.yaml", "unknown argument 'a.yaml'; see rxwatchd --help"),
        ("--check=yes", "unknown argument '--check=yes'; see rxwatchd --help"),
        ("--configa.yaml", "unknown argument '--configa.yaml'; see rxwatchd --help"),
        ("-c a.yaml", "unknown argument '-c'; see rxwatchd --help"),
    ])
    func misuse(line: String, message: String) {
        #expect(throws: Options.Misuse(message: message)) { try Options(line.split(separator: " ").map(String.init)) }
    }

    @Test func theUsageNamesEveryOption() {
        for option in ["--config", "--check", "--version", "--help"] { #expect(Options.usage.contains("  \(option) ")) }
    }
}
