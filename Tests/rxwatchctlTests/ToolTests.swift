import ChildProcesses
import Dispatch
import Foundation
import RxCommandLine
import RxControl
import RxEngine
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import rxwatchctl

/// The tool as its user sees it: arguments in, lines and an exit code out.
@Suite(.balanced) struct ToolTests {
    @Test(
        arguments: [
            ([], "a command is needed; see rxwatchctl --help"),
            (["chekc"], "unknown command 'chekc'; did you mean check?"),
            (["check", "--jsn"], "unknown option '--jsn'; did you mean --json?"),
            (
                ["replay", "a.jsonl", "b.yaml"], "unexpected argument 'b.yaml'; give the configuration with --config"
            ),
            (["show", "a", "b.yml"], "unexpected argument 'b.yml'; see rxwatchctl show --help"),
            (["show", "a", "b"], "unexpected argument 'b'; see rxwatchctl show --help"),
            (["--check"], "unknown option '--check'; see rxwatchctl --help"),
            (["graph", "--dott"], "unknown option '--dott'; did you mean --dot?"),
            (["status", "tick", "now"], "unexpected argument 'now'; see rxwatchctl status --help"),
            (["graph", "--dot", "--json"], "--dot and --json exclude each other; see rxwatchctl graph --help"),
            (["graph", "--subscriptions"], "--subscriptions needs --dot or --svg; see rxwatchctl graph --help"),
            (["replay", "--since", "1h"], "--since needs --journal; see rxwatchctl replay --help"),
            (
                ["replay", "--journal", "a"],
                "--journal and the file a exclude each other; see rxwatchctl replay --help"
            ),
            (["reload", "--control"], "option '--control' needs a PATH; see rxwatchctl reload --help"),
            (["spool"], "ACTION is missing; see rxwatchctl spool --help"),
            (["spool", "lst"], "unknown action 'lst'; write one of list, show, retry, drop"),
            (["spool", "list", "a"], "unexpected argument 'a'; see rxwatchctl spool --help"),
            (["spool", "show"], "spool show needs a sink such as api/http; rxwatchctl spool list names them"),
            (["spool", "retry", "a/http", "id"], "unexpected argument 'id'; see rxwatchctl spool --help"),
            (
                ["spool", "show", "--limit", "0", "a/http"],
                "--limit is not a number from 1 to 1000; see rxwatchctl spool --help"
            ),
            (
                ["spool", "drop", "a/http"],
                "spool drop needs either the ids of events or --all; see rxwatchctl spool --help"
            ),
            (
                ["spool", "drop", "--all", "a/http", "id"],
                "spool drop needs either the ids of events or --all; see rxwatchctl spool --help"
            ),
        ] as [([String], String)])
    func invalidArgumentsAreErrors(arguments: [String], problem: String) throws {
        let run = try Run(arguments)
        #expect(run.code == 1 && run.output == "")
        #expect(run.errors == "rxwatchctl: \(problem)\n")
    }

    @Test func versionIsPrinted() throws {
        let run = try Run(["--version"])
        #expect(run.code == 0 && run.errors == "")
        #expect(run.output.hasPrefix("rxwatchctl 0.") && run.output.hasSuffix("\n"))
    }

    @Test(arguments: ["--help", "-h"]) func usageIsPrinted(option: String) throws {
        let run = try Run([option])
        #expect(run.code == 0 && run.errors == "")
        #expect(run.output.hasPrefix("usage: rxwatchctl check [--strict] [--json] [PATH]...\n"))
    }

    @Test(arguments: [["check", "--help"], ["-h", "check"]]) func usageOfCommandIsPrinted(arguments: [String]) throws {
        let run = try Run(arguments)
        #expect(run.code == 0 && run.errors == "")
        #expect(run.output.hasPrefix("usage: rxwatchctl check [--strict] [--json] [PATH]...\n\nCheck a config"))
    }

    @Test func helpOfEveryCommandHasValidExample() throws {
        for subcommand in Tool.commandLine.subcommands {
            // Before the redirection of a shell.
            let words = subcommand.example.split(separator: " ").prefix { !$0.hasPrefix(">") }.map(String.init)
            guard case .run(let parsed, _) = try Tool.commandLine.parse(Array(words.dropFirst())) else {
                Issue.record("the example of \(subcommand.name) runs nothing")
                continue
            }
            #expect(words.first == "rxwatchctl" && parsed.name == subcommand.name)
        }
        let help = try Run(["fire", "--help"]).output
        #expect(help.contains("\n\nexample:\n  rxwatchctl fire api\n\n"))
    }

    /// The manual and the completion are written by hand.
    @Test func manualAndCompletionNameEveryCommandAndOption() throws {
        let subcommands = Tool.commandLine.subcommands
        let commands = Set(subcommands.map(\.name))
        let options = Set((subcommands.flatMap(\.options) + CommandLineOption.standard).map(\.name))
        let manual = try DeployedFile("man/rxwatchctl.1")
        #expect(manual.manualCommands == commands && manual.manualOptions == options)
        let words = commands.union(options)
        #expect(try DeployedFile("completions/bash/rxwatchctl").completedWords == words)
        #expect(try DeployedFile("completions/zsh/_rxwatchctl").zshWords == words)
        #expect(try DeployedFile("completions/fish/rxwatchctl.fish").fishWords == words)
    }

    @Test(arguments: ["status", "reload", "graph", "resources"]) func commandsFailWithoutDaemon(command: String) throws
    {
        let run = try Run([command, "--control", "/nonexistent/control"])
        #expect(run.code == 1 && run.output == "")
        let problem = "connecting to /nonexistent/control: No such file or directory"
        #expect(run.errors == "rxwatchctl: \(problem); start the daemon, or check --control\n")
    }

    @Test(arguments: [
        ["status"], ["reload"], ["graph"], ["resources"], ["spool", "list"], ["sync"], ["tap"], ["fire", "s"],
    ])
    func failureIsJSONOnRequest(command: [String]) throws {
        let run = try Run(command + ["--json", "--control", "/nonexistent/control"])
        let problem = "connecting to /nonexistent/control: No such file or directory"
        #expect(run.code == 1 && run.errors == "")
        let answer = try JSON(parsing: Array(run.output.utf8))
        #expect(answer["exit"] == 1)
        #expect(answer["message"]?.string == "rxwatchctl: \(problem); start the daemon, or check --control")
    }

    /// Who may connect, and where that is explained.
    @Test func refusedConnectionNamesGroup() {
        let error = SystemError(EACCES, "connecting")
        #expect(
            ControlClient.hint(for: error, at: "/run/rxwatchd/control")
                == "connect as root or as a member of the group rxwatchd, see 'units.sysusers' in "
                + "/usr/share/rxwatchd/drop-ins/README")
        #expect(
            ControlClient.hint(for: error, at: "/tmp/c") == "connect as root or as the user that the daemon runs as")
    }

    /// A daemon that hangs: its kernel accepts the connection, and nothing answers.
    @Test(arguments: [["status"], ["tap"], ["tap", "--record", "a"], ["marbles"], ["marbles", "a"]])
    func hangingDaemonIsReportedSoon(arguments: [String]) throws {
        let folder = TemporaryDirectory()
        let path = folder("control")
        let requests = Locked<[LocalRequest]>([])
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: { request in
            requests.withLock { $0.append(request) }
        })
        let start = ContinuousClock.now
        let run = try Run(arguments + ["--control", path])
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(run.code == 1 && run.output == "" && requests.withLock(\.count) == 1)
        #expect(
            run.errors.hasPrefix(
                "rxwatchctl: waiting for the answer at \(path): Connection timed out; the daemon is busy or hangs: see"),
            "\(run.errors)")
        server.dispose()
        requests.withLock { $0 = [] }
        let ofService = ControlClient.hint(for: SystemError(ETIMEDOUT, "waiting"), at: "/run/rxwatchd/control")
        #expect(ofService.contains("'systemctl restart rxwatchd'"))
    }

    /// The number of lost lines is in the recording, also of those before a line that is not recorded.
    @Test func lostLinesAreCountedInRecording() throws {
        let folder = TemporaryDirectory()
        let path = folder("control")
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: { request in
            let stream = request.stream(onEnd: {})
            for line in [
                #"{"node":"a","time":1,"value":1,"cause":"a:0"}"#, #"{"node":"a","time":2,"state":"idle","dropped":3}"#,
                #"{"node":"a","time":3,"value":1,"replayed":true,"dropped":2}"#,
                #"{"node":"a","time":4,"value":2,"dropped":4}"#, #"{"node":"a","time":5,"value":3}"#,
            ] { _ = stream?.send(Array((line + "\n").utf8)) }
            stream?.end()
        })
        let run = try Run(["tap", "--record", "--lifecycle", "--control", path])
        #expect(
            run.output == """
                {"node":"a","time":1,"value":1}
                {"node":"a","time":4,"value":2,"dropped":9}
                {"node":"a","time":5,"value":3}

                """)
        #expect(
            run.errors.split(separator: "\n").prefix(3)
                == [3, 2, 4].map { "rxwatchctl: \($0) events are missing here from the recording" }.map { $0[...] }[...]
        )
        server.dispose()
    }

    /// A daemon that ends without an answer, and one that refuses to be followed.
    @Test func missingAnswersAndRefusalsAreErrors() throws {
        let folder = TemporaryDirectory()
        let path = folder("control")
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: { request in
            guard case .tap = try? ControlRequest(line: request.text) else { return }
            request.answer(ControlAnswer("there is no node 'tik'", exitCode: 1).bytes)
        })
        let status = try Run(["status", "--control", path])
        let problem = "waiting for the answer at \(path): Connection reset by peer"
        #expect(status.code == 1 && status.errors == "rxwatchctl: \(problem); see journalctl -u rxwatchd\n")
        let tap = try Run(["tap", "--json", "tik", "--control", path])
        #expect(tap.code == 1 && tap.errors == "")
        #expect(tap.output == #"{"exit":1,"message":"there is no node 'tik'","details":null}"# + "\n")
        server.dispose()
    }

    /// Graphviz draws the graph; a message says why it does not.
    @Test(
        arguments: [
            ("cat; echo '<svg/>'", 0, "digraph { a }<svg/>\n", ""),
            ("exit 3", 1, "", "dot has failed with exit code 3"),
            ("cat >/dev/null; kill -KILL $$", 1, "", "dot was ended by signal 9"),
            (nil, 1, "", "--svg needs Graphviz: install the package graphviz, or draw the text of --dot elsewhere"),
        ] as [(String?, Int32, String, String)])
    func graphIsDrawn(dot: String?, code: Int32, output: String, error: String) throws {
        let folder = TemporaryDirectory()
        for name in ["sh", "cat"] { symlink("/bin/\(name)", folder(name)) }
        if let dot {
            folder.write("dot", "#!/bin/sh\n\(dot)\n")
            #expect(chmod(folder("dot"), 0o700) == 0)
        }
        // More than a pipe holds, for a program that does not read it.
        let text = dot == "exit 3" ? String(repeating: "x", count: 1 << 20) : "digraph { a }"
        let path = folder("control")
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: {
            $0.answer(ControlAnswer("", details: ["dot": .string(text)]).bytes)
        })
        let run = try Run(["graph", "--svg", "--control", path], environment: ["PATH=\(folder.path)"])
        #expect(run.code == code && run.output == output)
        #expect(run.errors == (error.isEmpty ? "" : "rxwatchctl: \(error)\n"))
        server.dispose()
    }

    /// The socket that the command line names, or else the environment, or else that of the only daemon of the user.
    @Test func socketIsChosen() throws {
        let folder = TemporaryDirectory()
        let sockets = ["given", "environment"].map { folder($0) } + ["\(folder.path)/rxwatchd-\(getpid()).control"]
        let servers = sockets.map { path in
            LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: {
                $0.answer(ControlAnswer(path).bytes)
            })
        }
        let (xdg, control) = ("XDG_RUNTIME_DIR=\(folder.path)", "RXWATCHD_CONTROL=\(sockets[1])")
        let given = try Run(["status", "--control", sockets[0]], environment: [xdg, control])
        #expect(given.output == "\(sockets[0])\n")
        #expect(try Run(["status"], environment: [xdg, control]).output == "\(sockets[1])\n")
        // The daemon of the service comes first.
        if access("/run/rxwatchd/control", F_OK) != 0 {
            #expect(try Run(["status"], environment: [xdg]).output == "\(sockets[2])\n")
            // The parent of this process is another process that lives.
            let other = LocalServer.requests(
                at: "\(folder.path)/rxwatchd-\(getppid()).control", on: DispatchQueue(label: "control")
            ).subscribe()
            let several = try Run(["status"], environment: [xdg])
            #expect(several.code == 1 && several.errors.hasPrefix("rxwatchctl: several daemons run"))
            other.dispose()
        }
        for server in servers { server.dispose() }
    }

    @Test func checkAcceptsValidConfig() throws {
        let config = "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, to: [stdout] } }\n"
        try withConfig(config) { path in
            let run = try Run(["check", path])
            #expect(run.code == 0 && run.errors == "")
            #expect(run.output == "\(path): valid: 1 source, 1 pipeline\n")
        }
    }

    /// Each by itself, in the order of the arguments; the worst exit code.
    @Test func checkTakesSeveralConfigs() throws {
        let folder = TemporaryDirectory()
        let tick = "sources: { tick: { interval: 1s } }\n"
        folder.write("a.yaml", tick + "pipelines: { p: { from: tick, to: [stdout] } }\n")
        folder.write("b.yaml", "sources: { tick: { intrval: 1s } }\n")
        // Together they would have two pipelines of this name.
        folder.write("c.yaml", tick + "pipelines: { p: { from: tick, to: [stdout] } }\n")
        let (a, b, c) = (folder("a.yaml"), folder("b.yaml"), folder("c.yaml"))
        let valid = try Run(["check", a, c])
        #expect(valid.code == 0 && valid.errors == "")
        #expect(valid.output == "\(a): valid: 1 source, 1 pipeline\n\(c): valid: 1 source, 1 pipeline\n")
        let mixed = try Run(["check", a, b, c])
        #expect(mixed.code == 78 && mixed.output == valid.output)
        #expect(mixed.errors.hasPrefix("\(b):1:20: unknown source 'intrval'"))
        let json = try Run(["check", "--json", a, b])
        #expect(json.code == 78 && json.errors == "")
        let answer = try JSON(parsing: Array(json.output.utf8.dropLast()))
        #expect(answer["exit"] == 78)
        let parts = try #require(answer["details"]?["configurations"]?.array)
        #expect(parts.map { $0["path"] } == [.string(a), .string(b)] && parts.map { $0["exit"] } == [0, 78])
        #expect(parts[0]["message"]?.string == "\(a): valid: 1 source, 1 pipeline")
        #expect(parts[0]["details"]?["files"] == [.string(a)])
        #expect(parts[1]["details"]?["errors"]?[0]?["line"] == 1)
        let messages = parts.compactMap { $0["message"]?.string }
        #expect(answer["message"]?.string == messages.joined(separator: "\n"))
    }

    @Test func checkReportsErrors() throws {
        try withConfig("sources:\n  tick: { intrval: 1s }\nextra: 1\n") { path in
            let run = try Run(["check", path])
            #expect(run.code == 78 && run.output == "")
            #expect(
                run.errors == """
                    \(path):2:11: unknown source 'intrval'; did you mean 'interval'?
                      tick: { intrval: 1s }
                              ^
                    \(path):3:1: unknown key 'extra' in the configuration; it takes daemon, sources, pipelines, tests
                    extra: 1
                    ^

                    """)
        }
    }

    /// For programs: the answer is on standard output, whatever it is.
    @Test func checkPrintsJSON() throws {
        try withConfig("sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, to: [stdout] } }\n") {
            path in
            for arguments in [["check", "--json", path], ["check", path, "--json"]] {
                let run = try Run(arguments)
                #expect(run.code == 0 && run.errors == "")
                let message = "\(path): valid: 1 source, 1 pipeline"
                #expect(
                    run.output
                        == #"{"exit":0,"message":"\#(message)","details":{"files":["\#(path)"],"unknown":[],"warnings":[],"notices":[]}}"#
                        + "\n")
            }
        }
        try withConfig("sources:\n  tick: { intrval: 1s }\n") { path in
            let run = try Run(["check", "--json", path])
            #expect(run.code == 78 && run.errors == "")
            let place = #""file":"\#(path)","line":2,"column":11"#
            #expect(run.output.hasPrefix(#"{"exit":78,"#))
            #expect(
                run.output.hasSuffix(
                    #""details":{"errors":[{\#(place),"message":"unknown source 'intrval'; did you mean 'interval'?"}]}}"#
                        + "\n"), "\(run.output)")
        }
    }

    /// The paths for which the sources would wait: these are neither errors nor reasons to fail.
    @Test func checkNotesMissingPaths() throws {
        let config = "sources: { in: { files: /nonexistent/rx } }\npipelines: { p: { from: in, to: [stdout] } }\n"
        try withConfig(config) { path in
            let message = "source in: /nonexistent/rx does not exist; waiting until it does"
            let notice = """
                \(path):1:25: notice: \(message)
                sources: { in: { files: /nonexistent/rx } }
                                        ^
                """
            let run = try Run(["check", path])
            #expect(run.code == 0 && run.errors == "")
            #expect(run.output.hasPrefix("\(path): valid: 1 source, 1 pipeline\n\(notice)\n"))
            let strict = try Run(["check", "--strict", path])
            #expect(strict.code == 78 && strict.output == "")
            #expect(strict.errors.hasPrefix("\(path): has notices: 1 source, 1 pipeline\n\(notice)\n"))
            let json = try Run(["check", "--json", path])
            #expect(json.code == 0 && json.errors == "")
            let located = #"{"file":"\#(path)","line":1,"column":25,"message":"\#(message)"}"#
            #expect(json.output.hasSuffix(#""warnings":[],"notices":[\#(located)]}}"# + "\n"), "\(json.output)")
        }
    }

    @Test func checkReportsMissingConfig() throws {
        let run = try Run(["check", "/nonexistent/a.yaml"])
        #expect(run.code == 78 && run.output == "")
        #expect(
            run.errors
                == "/nonexistent/a.yaml:1:1: cannot read the configuration: No such file or directory; create it, "
                + "or give the path of another, as in 'rxwatchctl check PATH'\n")
    }

    /// The results are on standard output, also those of tests that fail.
    @Test func testsRun() throws {
        let config = """
            sources: { tick: { interval: 1s } }
            pipelines: { p: { from: tick, steps: [map: .tick] } }
            tests:
              good: { expect: { p: "-01" } }
              bad: { expect: { p: "-0-" } }
            """
        try withConfig(config) { path in
            let good = try Run(["test", path, "good"])
            #expect(good.code == 0 && good.errors == "" && good.output == "good: passed\n1 test: all passed\n")
            let both = try Run(["test", path])
            #expect(both.code == 1 && both.errors == "" && both.output.hasSuffix("\n2 tests: 1 failed\n"))
            #expect(both.output.contains("  expected  -0-\n  received  -01\n"))
            let json = try Run(["test", path, "--json", "bad"])
            #expect(json.code == 1 && json.errors == "" && json.output.hasPrefix(#"{"exit":1,"#))
            let junit = try Run(["test", "--junit", path])
            #expect(junit.code == 1 && junit.errors == "" && junit.output.hasPrefix("<?xml "))
            let unnamed = try Run(["test", "--junit", path, "goood"])
            #expect(unnamed.code == 1 && unnamed.errors.hasPrefix("there is no test 'goood' in \(path); did you mean "))
            #expect(
                unnamed.output.contains("<error message=\"there is no test 'goood' in \(path); did you mean 'good'?\">")
            )
            let unknown = try Run(["test", path, "goood"])
            #expect(unknown.code == 1 && unknown.output == "" && unknown.errors.contains("did you mean 'good'?"))
        }
        try withConfig("tests: 1") { path in
            let run = try Run(["test", path])
            #expect(run.code == 78 && run.output == "" && run.errors.hasPrefix("\(path):1:8: "))
            let junit = try Run(["test", "--junit", path])
            #expect(junit.code == 78 && junit.errors == run.errors)
            #expect(junit.output.hasPrefix("<?xml ") && junit.output.contains("<error message=\"\(path):1:8: "))
        }
    }

    @Test func configIsShown() throws {
        try withConfig("sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick } }") { path in
            let run = try Run(["show", path])
            #expect(run.code == 0 && run.errors == "")
            #expect(run.output.hasPrefix("sources:\n  # \(path):1:12\n  tick:\n    interval: 1s\n"))
        }
        #expect(try Run(["show", "/nonexistent/a.yaml"]).code == 78)
    }

    @Test func schemaIsPrinted() throws {
        let run = try Run(["schema"])
        #expect(run.code == 0 && run.errors == "")
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        let file = try String(contentsOf: repository.appendingPathComponent("Config/schema.json"), encoding: .utf8)
        #expect(run.output == file)
    }

    private func withConfig(_ text: String, _ body: (String) throws -> Void) throws {
        let folder = TemporaryDirectory()
        folder.write("config.yaml", text)
        try body(folder("config.yaml"))
    }
}

/// A run of the built tool, which is beside the bundle from which the tests run.
struct Run {
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("rxwatchctl").path

    let code: Int32
    let output: String
    let errors: String

    /// - Parameter input: what it reads from standard input.
    init(_ arguments: [String], environment: [String] = [], input: String = "") throws {
        let folder = TemporaryDirectory()
        folder.write("input", input)
        let descriptor = open(folder("input"), O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        code = try ChildProcess(
            Self.program, arguments, environment: environment, input: .descriptor(descriptor),
            output: .file(folder("output")), errors: .file(folder("errors"))
        ).wait()
        output = folder.text("output")
        errors = folder.text("errors")
    }
}
