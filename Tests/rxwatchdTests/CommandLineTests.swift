import Foundation
import RxCommandLine
import TestSupport
import Testing

@testable import rxwatchd

struct CommandLineTests {
    private static let standard = "/etc/rxwatchd, /run/rxwatchd, /usr/lib/rxwatchd"

    @Test(arguments: [
        ("", false, standard),
        ("--config a.yaml", false, "a.yaml"),
        ("--config=a.yaml", false, "a.yaml"),
        ("--config=a=b.yaml", false, "a=b.yaml"),
        ("--config=", false, ""),
        ("--config a.yaml --config b.yaml", false, "b.yaml"),
        ("--config ./--check", false, "./--check"),
        ("--config=--check", false, "--check"),
        ("--check", true, standard),
        ("--check --config a.yaml", true, "a.yaml"),
        ("--config a.yaml --check", true, "a.yaml"),
    ])
    func validArgumentsAreRead(line: String, isCheck: Bool, config: String) throws {
        guard case .run(_, let arguments) = try Program.commandLine.parse(words(line)) else {
            Issue.record("it does not run")
            return
        }
        #expect(arguments.contains(Program.check) == isCheck && arguments[Program.config] == config)
    }

    @Test(arguments: [
        ("--config", "option '--config' needs a PATH; see rxwatchd --help"),
        ("--check --config", "option '--config' needs a PATH; see rxwatchd --help"),
        (
            "--config --check",
            "option '--config' needs a PATH, and '--check' follows; write --config=--check if that is the PATH"
        ),
        ("--chekc", "unknown option '--chekc'; did you mean --check?"),
        ("a.yaml", "unexpected argument 'a.yaml'; give the configuration with --config"),
        ("a.json", "unexpected argument 'a.json'; see rxwatchd --help"),
        ("--check=yes", "option '--check' takes no value; see rxwatchd --help"),
        ("--configa.yaml", "unknown option '--configa.yaml'; did you mean --config?"),
        ("-c a.yaml", "unknown option '-c'; see rxwatchd --help"),
    ])
    func invalidArgumentsAreErrors(line: String, message: String) {
        let error = #expect(throws: UsageError.self) { try Program.commandLine.parse(words(line)) }
        #expect(error.map { Program.commandLine.message(for: $0) } == "rxwatchd: \(message)")
    }

    /// The manual and the completion are written by hand.
    @Test func manualAndCompletionNameEveryOption() throws {
        let options = Set((Program.commandLine.subcommands.flatMap(\.options) + CommandLineOption.standard).map(\.name))
        #expect(try DeployedFile("man/rxwatchd.8").manualOptions == options)
        #expect(try DeployedFile("completions/bash/rxwatchd").completedWords == options)
        #expect(try DeployedFile("completions/zsh/_rxwatchd").zshWords == options)
        #expect(try DeployedFile("completions/fish/rxwatchd.fish").fishWords == options)
    }

    private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
}
