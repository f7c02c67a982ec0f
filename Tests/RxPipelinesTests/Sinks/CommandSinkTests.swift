import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct CommandSinkTests {
    private let folder = TemporaryDirectory()

    private func rig(_ script: String, _ more: String = "") throws -> SinkRig {
        try SinkRig(#"command: { run: [sh, -c, '\#(script)'], directory: \#(folder.path)\#(more) }"#)
    }

    @Test func eventIsOnStandardInputAndInVariables() async throws {
        let rig = try rig("cat >> in; env | grep ^RX_ | grep -v ^RX_RUN= | sort >> vars; echo $NAME, $1 >> vars")
        try rig.give(["a": "x y"])
        try await rig.finish()
        #expect(folder.text("in") == #"{"a":"x y"}"# + "\n")
        #expect(
            folder.text("vars") == """
                RX_CAUSE=tick:0
                RX_EVENT_ID=tick:0
                RX_PIPELINE=p
                RX_SEQUENCE=0
                RX_SOURCE=tick
                RX_VALUE={"a":"x y"}
                ,

                """)
        #expect(rig.problems == [])
        // This allows to follow an event to its effects.
        let done = try #require(rig.done.first)
        #expect(rig.done.count == 1 && done.hasPrefix("tick:0 p: command done: exited with 0: sh -c "), "\(done)")
        let record = try #require(rig.records.value.first)
        #expect(record[.pipeline] == "p" && record[.sink] == "command" && record.generation == 2)
        #expect(record[.source] == "tick" && record[.sequence] == "0")
    }

    /// The manual names every variable of a command, and every member of `$event`.
    @Test func variablesAreInManual() async throws {
        let rig = try rig("env | grep ^RX_ | cut -d= -f1 >> vars")
        try rig.give(1)
        try await rig.finish()
        let names = Set(folder.text("vars").split(separator: "\n").map(String.init))
        #expect(names.isSuperset(of: ["RX_RUN", "RX_VALUE"]))
        let manual = try DeployedFile("man/rxwatchd.yaml.5").manualVariables
        #expect(names.union(PipelineEvent.members).subtracting(manual) == [])
        let members = PipelineEvent(1, source: "a", sequence: 0, time: 0).binding.object?.members.map(\.key) ?? []
        #expect(Set(members) == Set(PipelineEvent.members))
    }

    @Test func failedCommandIsRetried() async throws {
        let rig = try rig("cat >> in; [ $(wc -l < in) -ge 3 ]", ", retry: { times: 5, delay: 10ms }")
        try rig.give(1, 2)
        try await rig.finish()
        #expect(folder.text("in") == "1\n1\n1\n2\n" && rig.problems == [])
        #expect(rig.done.map { $0.prefix(6) } == ["tick:0", "tick:1"])
    }

    @Test func lastFailureHasNumberOfAttempts() async throws {
        let rig = try rig("cat >> in; exit 3", ", retry: { times: 2, backoff: 10ms..20ms }")
        try rig.give(1)
        try await rig.finish()
        #expect(
            folder.text("in") == "1\n1\n1\n" && rig.problems == ["p: command failed: 'sh' exited with 3; tried 3 times"]
        )
    }

    @Test func argumentsAndVariablesAreTemplates() async throws {
        let rig = try SinkRig(
            #"""
            command:
              run: ["{{.program}}", -c, 'echo "$NAME|$1|$2" >> out', x, "{{.list[]}}", "{{$event.sequence}}; rm *"]
              environment: { NAME: "{{.a}} of {{$event.source}}", PATH: /usr/bin:/bin }
              directory: \#(folder.path)
            """#)
        try rig.give(["program": "/bin/sh", "a": "$(date)", "list": [1, "two"]])
        try await rig.finish()
        #expect(folder.text("out") == "$(date) of tick|1 two|0; rm *\n")
        #expect(rig.problems == [])
    }

    @Test(arguments: [
        #"run: [sh, -c, 'echo "$1" >> out', x, "{{.a}}"]"#,
        #"run: [sh, -c, 'echo "$A" >> out'], environment: { A: "{{.a}}" }"#,
    ])
    func missingValueRunsNothing(command: String) async throws {
        let rig = try SinkRig("command: { \(command), directory: \(folder.path) }")
        try rig.give(["a": 1])
        try rig.give([:])
        try rig.give(["a": "two"])
        try await rig.finish()
        #expect(rig.problems.count == 1)
        #expect(
            rig.problems.first?.hasSuffix(
                "an expression in it is null; if that can happen, give a default: // \"none\"") == true)
        #expect(folder.text("out") == "1\ntwo\n")
    }

    @Test func longValueIsOnStandardInputOnly() async throws {
        let rig = try rig("wc -c >> out; echo \"${RX_VALUE-none}\" >> out")
        try rig.give(.string(String(repeating: "x", count: 300_000)))
        try await rig.finish()
        #expect(folder.text("out") == "300003\nnone\n")
        #expect(rig.problems == [])
    }

    @Test(arguments: [
        ("exit 3", "", "'sh' exited with 3"),
        ("echo; echo \"  no  such cert\" >&2; echo more >&2; exit 1", "", "'sh' exited with 1: no such cert"),
        ("kill -9 $$", "", "'sh' was ended by signal 9"),
        ("echo so far >&2; exec sleep 100", ", timeout: 2s", "'sh' took longer than 2s and was ended: so far"),
    ]) func failureIsRecorded(script: String, more: String, message: String) async throws {
        let rig = try rig(script, more)
        try rig.give(1, 2)
        try await rig.finish()
        #expect(rig.problems == Array(repeating: "p: command failed: \(message)", count: 2) && rig.done == [])
        let record = try #require(rig.records.value.last)
        #expect(record.kind == .sink && record.priority == .err && record.generation == 2)
        #expect(record[.sink] == "command" && record[.pipeline] == "p" && record[.cause] == "tick:1")
        #expect(record[.error] == message && record[.errorType] == "CommandFailure")
    }

    @Test func failedStartIsRecorded() async throws {
        let rig = try SinkRig("command: { run: ['{{.}}'] }")
        try rig.give("/nonexistent", "", "a\0b")
        try await rig.finish()
        #expect(
            rig.problems == [
                "p: command failed: cannot start '/nonexistent': running it: No such file or directory",
                "p: command failed: cannot start '': no program is named: Invalid argument",
                "p: command failed: cannot start 'a\0b': an argument has a NUL byte in it: Invalid argument",
            ])
    }

    @Test func commandsRunSequentially() async throws {
        let rig = try rig("echo +$RX_VALUE >> out; until [ -e go ]; do sleep 0.01; done; echo -$RX_VALUE >> out")
        try rig.give(1, 2, 3)
        #expect(rig.sink?.queued == 3)
        close(open("\(folder.path)/go", O_CREAT | O_WRONLY, 0o600))
        try await rig.finish()
        #expect(folder.text("out") == "+1\n-1\n+2\n-2\n+3\n-3\n")
    }

    /// A command that takes time to end is awaited, and so are the processes that it started in a session of its own.
    @Test(arguments: ["sh", "setsid sh"]) func cancelledCommandEndsBeforeNextStarts(shell: String) async throws {
        let first =
            #"trap "sleep 0.2; echo -1 >> out; exit" TERM; echo +1 >> out; sleep 100 > /dev/null 2>&1 & wait"#
        let path = "\(folder.path)/first"
        let file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        write(file, first, first.utf8.count)
        close(file)
        let rig = try rig(
            "if [ $RX_VALUE = 1 ]; then \(shell) first; else echo +$RX_VALUE >> out; fi", ", overlap: cancel")
        try rig.give(1)
        try await eventually("the first command runs") { folder.text("out") == "+1\n" }
        try rig.give(2)
        try rig.give(3)
        try await eventually("the first has ended, the last is done: \(folder.text("out"))") {
            folder.text("out") == "+1\n-1\n+3\n"
        }
        #expect(rig.sink?.dropped == 2)
        try await rig.finish()
        #expect(rig.problems == [])
    }

    @Test func disposeEndsCommand() async throws {
        let rig = try rig("echo $$ > pid; exec sleep 1000")
        try rig.give(1, 2)
        try await eventually("the command runs") { folder.text("pid").hasSuffix("\n") }
        let number = try #require(pid_t(folder.text("pid").dropLast()))
        rig.sink?.dispose()
        try await eventually("the command has ended") { kill(number, 0) != 0 }
        try await eventually("no event is queued") { rig.sink?.queued == 0 && rig.sink?.dropped == 2 }
    }

    @Test func serviceManagerVariablesAreNotInherited() async throws {
        setenv("NOTIFY_SOCKET", "/nowhere", 1)
        setenv("RX_OTHER", "x", 1)
        defer {
            unsetenv("NOTIFY_SOCKET")
            unsetenv("RX_OTHER")
        }
        let rig = try rig("echo ${NOTIFY_SOCKET-none} ${RX_OTHER-none} >> out")
        try rig.give(1)
        try await rig.finish()
        #expect(folder.text("out") == "none none\n")
    }
}
