import Foundation
import Testing

/// The tool as its user meets it: arguments in, lines and an exit code out.
struct ToolTests {
    @Test(
        arguments: [
            ([], "a command is needed"),
            (["chekc"], "unknown command 'chekc'"),
            (["check", "a", "b"], "check takes one path"),
            (["check", "--help"], "check takes one path"),
            (["--check"], "unknown command '--check'"),
            (["status", "now"], "status does not take 'now'"),
            (["reload", "--control"], "--control needs a path"),
        ] as [([String], String)])
    func misuse(arguments: [String], problem: String) throws {
        let run = try Run(arguments)
        #expect(run.code == 1 && run.output == "")
        #expect(run.errors == "rxwatchctl: \(problem); see rxwatchctl --help\n")
    }

    @Test func theVersion() throws {
        let run = try Run(["--version"])
        #expect(run.code == 0 && run.errors == "")
        #expect(run.output.hasPrefix("rxwatchctl 0.") && run.output.hasSuffix("\n"))
    }

    @Test(arguments: ["--help", "-h"]) func theUsage(option: String) throws {
        let run = try Run([option])
        #expect(run.code == 0 && run.errors == "")
        #expect(run.output.hasPrefix("usage: rxwatchctl check [--json] [PATH]\n"))
    }

    @Test(arguments: ["status", "reload"]) func noDaemon(command: String) throws {
        let run = try Run([command, "--control", "/nonexistent/control"])
        #expect(run.code == 1 && run.output == "")
        let problem = "asking at /nonexistent/control: No such file or directory"
        #expect(run.errors == "rxwatchctl: \(problem); is rxwatchd running?\n")
    }

    @Test func aGoodConfig() throws {
        let config = "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, to: [stdout] } }\n"
        try withConfig(config) { path in
            let run = try Run(["check", path])
            #expect(run.code == 0 && run.errors == "")
            #expect(run.output == "\(path): good: 1 source, 1 pipeline\n")
        }
    }

    @Test func aBadConfig() throws {
        try withConfig("sources:\n  tick: { intrval: 1s }\nextra: 1\n") { path in
            let run = try Run(["check", path])
            #expect(run.code == 78 && run.output == "")
            #expect(
                run.errors == """
                    \(path):2:11: unknown source 'intrval'; did you mean 'interval'?
                      tick: { intrval: 1s }
                              ^
                    \(path):3:1: unknown key 'extra' in the config; known are daemon, sources, pipelines, tests
                    extra: 1
                    ^

                    """)
        }
    }

    /// For programs: on standard output whatever the answer is.
    @Test func aCheckAsJSON() throws {
        try withConfig("sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick } }\n") { path in
            for arguments in [["check", "--json", path], ["check", path, "--json"]] {
                let run = try Run(arguments)
                #expect(run.code == 0 && run.errors == "")
                let message = "\(path): good: 1 source, 1 pipeline"
                #expect(
                    run.output
                        == #"{"exit":0,"message":"\#(message)","details":{"files":["\#(path)"],"unknown":[]}}"# + "\n")
            }
        }
        try withConfig("sources:\n  tick: { intrval: 1s }\n") { path in
            let run = try Run(["check", "--json", path])
            #expect(run.code == 78 && run.errors == "")
            let place = #""file":"\#(path)","line":2,"column":11"#
            #expect(run.output.hasPrefix(#"{"exit":78,"#))
            #expect(
                run.output.hasSuffix(
                    #""details":{"mistakes":[{\#(place),"message":"unknown source 'intrval'; did you mean 'interval'?"}]}}"#
                        + "\n"), "\(run.output)")
        }
    }

    @Test func aMissingConfig() throws {
        let run = try Run(["check", "/nonexistent/a.yaml"])
        #expect(run.code == 78 && run.output == "")
        #expect(run.errors.hasPrefix("/nonexistent/a.yaml:1:1: cannot read the config: No such file or directory; "))
    }

    private func withConfig(_ text: String, _ body: (String) throws -> Void) throws {
        let path = "/tmp/rxwatchctl-\(UUID().uuidString).yaml"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }
}

/// A run of the built tool, which lies beside the bundle that the tests run from.
private struct Run {
    let code: Int32
    let output: String
    let errors: String

    init(_ arguments: [String]) throws {
        let folder = "/tmp/rxwatchctl-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("rxwatchctl").path

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, name) in [(STDOUT_FILENO, "output"), (STDERR_FILENO, "errors")] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "\(folder)/\(name)", O_WRONLY | O_CREAT, 0o600)
        }
        // Whoever reads a pipe of another test would wait for this child, too.
        for other in STDERR_FILENO + 1..<256 { posix_spawn_file_actions_addclose(&actions, other) }
        var words = ([program] + arguments).map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        try #require(posix_spawn(&process, program, &actions, nil, &words, environ) == 0, "\(program) runs")
        var status: Int32 = 0
        waitpid(process, &status, 0)
        code = status & 0x7F == 0 ? status >> 8 : -(status & 0x7F)
        output = try String(contentsOfFile: "\(folder)/output", encoding: .utf8)
        errors = try String(contentsOfFile: "\(folder)/errors", encoding: .utf8)
    }
}
