import ChildProcesses
import Foundation
import TestSupport
import Testing

@testable import rxwatchctl

/// The commands that read a configuration or the journal, as programs.
@Suite(.balanced) struct ConfigCommandTests {
    private let folder = TemporaryDirectory()

    /// The path of a configuration whose pipeline has this step.
    private func config(_ name: String = "rxwatchd.yaml", map: String = ".n") -> String {
        folder.write(
            name,
            """
            sources:
              files: { files: { paths: [/srv], events: modified } }
              log: { journal: { match: { _SYSTEMD_UNIT: sshd.service } } }
            pipelines:
              p: { from: files, steps: [map: '\(map)'], to: [stdout] }
              q: { from: log, steps: [map: '[.MESSAGE, \(map)]'], to: [stdout] }

            """)
        return folder(name)
    }

    /// Lines with one space between columns.
    private func lines(_ run: Run) -> [String] {
        run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    }

    @Test(arguments: [[], ["-"]]) func eventsAreReadFromStandardInput(operand: [String]) throws {
        let config = config()
        let tried = try Run(["try", "--config", config, "p"] + operand, input: "{\"n\":1}\n{\"n\":2}\n")
        #expect(tried.code == 0 && tried.errors == "")
        #expect(
            lines(tried) == [
                "0.000s p 1", "0.000s p/stdout would print 1", "0.000s p 2", "0.000s p/stdout would print 2",
                "2 actions in place of sinks",
            ])
        let recording = #"{"node":"files","time":7,"value":{"n":3}}"# + "\n"
        let replayed = try Run(["replay", "--config", config] + operand, input: recording)
        #expect(replayed.code == 0 && replayed.errors == "")
        #expect(lines(replayed).contains("0.000s p/stdout would print 3"))
    }

    @Test(arguments: [
        ("/nonexistent/events", "No such file or directory"), ("/", "it is a directory"),
    ])
    func unreadableEventsAreErrors(file: String, reason: String) throws {
        let config = config()
        for command in [["try", "p", file], ["replay", file]] {
            let run = try Run(command + ["--config", config])
            #expect(run.code == 1 && run.output == "")
            #expect(run.errors == "cannot read the events in \(file): \(reason)\n")
            let json = try Run(command + ["--config", config, "--json"])
            #expect(json.code == 1 && json.errors == "")
            #expect(
                json.output == #"{"exit":1,"message":"cannot read the events in \#(file): \#(reason)","details":null}"#
                    + "\n"
            )
        }
        let empty = try Run(["try", "--config", config, "p"], input: "")
        #expect(empty.code == 1 && empty.errors.hasPrefix("there is no event; give one as JSON"))
    }

    /// The difference of two configurations on the same events: of a recording, and of the journal.
    @Test(arguments: [false, true]) func replayIsCompared(isJournal: Bool) throws {
        let (old, new) = (config("old.yaml"), config("new.yaml", map: ".n + 1"))
        let (events, pipeline): ([String], String)
        let journal = TestJournal()
        if isJournal {
            try journal.add(
                [[("MESSAGE", Array("a".utf8)), ("_SYSTEMD_UNIT", Array("sshd.service".utf8))]], at: 0)
            let length = Int(Date().timeIntervalSince1970) - 1_699_999_000
            (events, pipeline) = (["--journal", "--directory", journal.path, "--since", "\(length)s"], "q")
        } else {
            folder.write("events", #"{"node":"files","time":7,"value":{"n":3}}"# + "\n")
            (events, pipeline) = ([folder("events")], "p")
        }
        let different = try Run(["replay", "--config", new, "--against", old] + events)
        #expect(different.code == 1 && different.errors == "")
        let changed = lines(different).filter { $0.hasPrefix("+ ") || $0.hasPrefix("- ") }
        #expect(changed.filter { $0.contains(" \(pipeline) ") }.map { $0.prefix(1) } == ["-", "+"])
        #expect(changed.filter { $0.contains(" \(pipeline)/stdout would print ") }.count == 2, "\(different.output)")
        #expect(lines(different).last == "4 differences")
        let same = try Run(["replay", "--config", old, "--against", old] + events)
        #expect(same.code == 0 && lines(same).last == "the same")
        let json = try Run(["replay", "--json", "--config", new, "--against", old] + events)
        #expect(json.code == 1 && json.output.contains(#""against":["#) && json.output.contains(#""entries":["#))
    }

    /// The manual names every member of the answers.
    @Test func membersOfAnswersAreInManual() throws {
        folder.write(
            "all.yaml",
            """
            sources:
              files: { files: { paths: [/nonexistent], events: modified } }
              idle: { interval: 1s }
            pipelines:
              p: { from: files, steps: [filter: '.n = 3', map: .n], to: [stdout, http: "http://u:${credential:a}@h/"] }
              inner: { from: files, steps: [flatMap: { command: { run: [echo] } }], to: [stdout] }
              never: { from: files, steps: [filter: 'false'], to: [stdout] }
              bad: { from: files, steps: [map: 'error("no")'], to: [stdout] }
              sinkless: { from: files }
            tests:
              good: { expect: { p: "-" } }
              wrong: { expect: { p: "-1" } }

            """)
        let (all, journal) = (folder("all.yaml"), TestJournal())
        folder.write("wrong.yaml", "sources: 1\n")
        folder.write("events", #"{"node":"files","time":7,"value":{"n":3}}"# + "\n")
        try journal.add(
            [
                [
                    ("MESSAGE", Array("done".utf8)), ("_SYSTEMD_UNIT", Array("rxwatchd.service".utf8)),
                    ("RX_EVENT_ID", Array("t:r:1".utf8)), ("RX_CAUSE", Array("t:1".utf8)),
                ]
            ], at: 0)
        let runs = try [
            ["check", all], ["check", all, folder("wrong.yaml")], ["check", folder("wrong.yaml")], ["test", all],
            ["show", all],
            ["try", "--config", all, "files", folder("events")],
            ["replay", "--config", all, "--against", all, folder("events")],
            ["why", "t:1", "--directory", journal.path],
        ].map { try Run($0 + ["--json"]) }
        var found: Set<String> = []
        func add(_ json: Any, in key: String = "") {
            // What is in these is of the configuration, of a sink, or a record.
            if ["value", "config", "origins", "action"].contains(key) { return }
            if let list = json as? [Any] { list.forEach { add($0) } }
            guard let object = json as? [String: Any] else { return }
            let own = object.filter { !$0.key.hasPrefix("RX_") && !["MESSAGE", "PRIORITY"].contains($0.key) }
            found.formUnion(own.keys)
            for (key, value) in own { add(value, in: key) }
        }
        for run in runs { add(try JSONSerialization.jsonObject(with: Data(run.output.utf8))) }
        #expect(
            found.isSuperset(of: [
                "exit", "message", "details", "errors", "warnings", "notices", "unknown", "tests", "failures",
                "files",
                "origins", "entries", "action", "starts", "failed", "idle", "withheld", "location", "against",
                "records",
                "others",
            ]), "\(found.sorted())")
        #expect(try found.subtracting(DeployedFile("man/rxwatchctl.1").manualLiterals) == [])
    }

    /// A command that takes long says what it waits for after a second, until it continues: here for the writer of a pipe.
    @Test(arguments: [
        (["check"], "the check"), (["test"], "the tests"), (["try", "p", "EVENTS", "--config"], "the trial"),
        (["replay", "EVENTS", "--config"], "the trial"),
        (["replay", "--journal", "--directory", "/", "--config"], "the journal and the trial"),
    ])
    func waitIsShown(arguments: [String], subject: String) async throws {
        folder.write("events", #"{"node":"p","time":7,"value":{"n":3}}"# + "\n")
        let pipe = folder("pipe.yaml")
        try #require(mkfifo(pipe, 0o600) == 0)
        let command = try TerminalProcess(
            Run.program, arguments.map { $0 == "EVENTS" ? folder("events") : $0 } + [pipe])
        let line = "\rwaiting for \(subject), 1 s (Ctrl-C ends the wait)\u{1B}[K"
        try await command.shows(line)
        _ = config("pipe.yaml")
        try await eventually("it ends, not \(command.text.debugDescription)") { command.codeIfEnded() != nil }
        try await eventually("the line is removed before the answer: \(command.text.debugDescription)") {
            let parts = command.text.components(separatedBy: "\r\u{1B}[K")
            return parts.count == 2 && parts[1].contains("\r\n") && !parts[1].contains("waiting")
        }
    }
}
