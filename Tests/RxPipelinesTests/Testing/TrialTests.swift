import ConfigTestSupport
import Foundation
import RxControl
import RxDiagnostics
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// What `rxwatchctl try` and `rxwatchctl replay` say of events.
@Suite(.balanced) struct TrialTests {
    /// A configuration in a file that is removed with this object.
    private final class Config: Sendable {
        private let folder = TemporaryDirectory()
        let path: String

        init(_ pipelines: String, sources: String = "") {
            path = folder("t.yaml")
            folder.write(
                "t.yaml",
                """
                sources:
                  files: { files: { paths: [/srv], events: modified } }
                  tick: { interval: 1s }\(sources.isEmpty ? "" : "\n\(sources)")
                pipelines:
                \(pipelines)
                """)
        }

        func answer(
            _ events: ConfigTrial.InputKind, _ text: String, with others: [String] = [], results: [String] = [],
            for length: Duration = .seconds(3600)
        ) -> ControlAnswer {
            ConfigTrial(path, events, with: others, results: results, for: length).answer(
                Array(text.utf8), from: "-", Substitution(environment: ["key": "k"]))
        }

        /// The lines of the answer, with one space between columns, without the path of the configuration.
        func lines(
            _ node: String, _ text: String, with others: [String] = [], results: [String] = [],
            every: Duration = .zero, for length: Duration = .seconds(3600)
        ) -> [String] {
            answer(.values(node: node, every: every), text, with: others, results: results, for: length).message
                .replacing("\(path):", with: "").split(separator: "\n")
                .map { $0.split(separator: " ").joined(separator: " ") }
        }
    }

    /// The configuration is often given in place of the events.
    @Test(arguments: [
        ("c.yaml", "; give the configuration with --config"), ("c.yml", "; give the configuration with --config"),
        ("events", ""),
    ])
    func fileWithoutEventsIsNamed(file: String, hint: String) {
        let trials: [(ConfigTrial.InputKind, String)] = [
            (.values(node: "tick", every: .zero), "sources: {}"), (.recording, "sources: {}"),
        ]
        for (events, text) in trials {
            let answer = ConfigTrial("/nonexistent/c.yaml", events, for: .seconds(1)).answer(
                Array(text.utf8), from: file)
            let advice = "; write each event on a line of its own, as jq -c prints it"
            #expect(answer.message.hasPrefix("\(file): line 1 is not JSON: ") && answer.exitCode == 1)
            #expect(answer.message.hasSuffix("\(advice)\(hint)"), "\(answer.message)")
        }
    }

    /// A pipeline that emits nothing looks like one that gets nothing.
    @Test func stepThatPassesNothingIsNamed() {
        let config = Config(
            """
              big:
                from: tick
                steps: [{ map: .tick }, { filter: '. > 5' }, { map: '. * 2' }]
                to: [stdout]
              fails: { from: tick, steps: [{ map: .tick }, { map: .x }, { filter: . }], to: [stdout] }
              some: { from: tick, steps: [{ filter: .tick == 2 }, { map: .tick }], to: [stdout] }
            """)
        let events = "{\"tick\": 1}\n{\"tick\": 2}\n"
        let lines = config.lines("tick", events, every: .seconds(1))
        #expect(lines.contains("3601.000s big 'filter' at 7:29 passed none of 2 events"))
        #expect(!lines.contains { $0.contains("fails '") || $0.contains("some '") })
        let details = config.answer(.values(node: "tick", every: .seconds(1)), events).details["entries"]?.array
        let withheld = details?.filter { $0["withheld"] != nil }
        #expect(
            withheld == [
                [
                    "time": 3601, "node": "big", "withheld": 2, "step": "filter",
                    "location": .string("\(config.path):7:29"),
                ]
            ])
    }

    /// Entries of the daemon's own service are replayed only to a source that asks for entries by their author.
    @Test func journalEntriesAreReplayed() throws {
        let journal = TestJournal()
        try journal.add(["before"], at: -7200, unit: "sshd.service", to: "early")
        try journal.add(["failed a", "ok", "failed b"], unit: "sshd.service")
        // What is written after the beginning of the replay is not part of it.
        let later = Int(Date().timeIntervalSince1970) - 1_700_000_000 + 3600
        try journal.add(["failed later"], at: later, unit: "sshd.service", to: "later")
        try journal.add(["own"], at: 4, unit: "rxwatchd.service", to: "b")
        try journal.add(
            [
                [
                    ("MESSAGE", Array("of it".utf8)), ("_SYSTEMD_UNIT", Array("rxwatchd.service".utf8)),
                    ("RX_CAUSE", Array("denied:3".utf8)),
                ]
            ], at: 5, to: "b")
        let config = Config(
            """
              p: { from: denied, steps: [{ filter: '.MESSAGE | startswith("failed")' }, { map: .MESSAGE }], to: [stdout] }
              q: { from: all, steps: [{ map: .MESSAGE }], to: [stdout] }
              r: { from: own, steps: [{ map: .MESSAGE }], to: [stdout] }
            """,
            sources: """
                  denied: { journal: { match: { _SYSTEMD_UNIT: sshd.service } } }
                  all: { journal: { match: { _BOOT_ID: 0123456789abcdef0123456789abcdef } } }
                  own: { journal: { match: { _SYSTEMD_UNIT: rxwatchd.service } } }
                """)
        // The first entry is a second after the beginning.
        let length = Duration.seconds(Date().timeIntervalSince1970 - 1_699_999_999)
        let answer = config.answer(.journal(since: length, directory: journal.path), "")
        let entries = answer.details["entries"]?.array ?? []
        let actions = entries.filter { $0["action"] != nil }.map {
            let time = ($0["time"]?.number ?? 0).rounded()
            return
                "\(Int(time)) \($0["node"]?.string ?? "") \($0["action"]?["line"]?.string ?? $0["text"]?.string ?? "")"
        }
        #expect(
            actions.sorted() == [
                "1 p/stdout \"failed a\"", "1 q/stdout \"failed a\"", "2 q/stdout \"ok\"", "3 p/stdout \"failed b\"",
                "3 q/stdout \"failed b\"", "5 r/stdout \"own\"",
            ])
        #expect(answer.message.hasPrefix("times are since 2023-11-1") && answer.exitCode == 0)
        let none = config.answer(.journal(since: .seconds(60), directory: journal.path), "")
        #expect(
            none.message == "no entry of the last 1min matches denied (_SYSTEMD_UNIT=sshd.service), "
                + "all (_BOOT_ID=0123456789abcdef0123456789abcdef), own (_SYSTEMD_UNIT=rxwatchd.service)")
        #expect(none.exitCode == 1)
    }

    @Test func journalCannotBeReplayedWithoutItsSources() {
        let answer = Config("  p: { from: tick, to: [stdout] }").answer(
            .journal(since: .seconds(60), directory: nil), "")
        #expect(
            answer.message == "the configuration has no source of kind journal, so there is nothing to replay"
                && answer.exitCode == 1)
    }

    @Test func eachSinkSaysWhatItWouldDo() {
        let config = Config(
            """
              p:
                from: files
                to:
                  - unit: { reload: "{{.unit}}.service" }
                  - journal: { priority: notice, message: "{{.n}} renewed", fields: { PATH_NAME: "{{.n}}" } }
                  - command: { run: [echo, "it's", "{{.n}}"], environment: { N: "{{.n}}" } }
                  - http: { url: "http://127.0.0.1:1/{{.n}}", headers: { X-N: "{{.n}}" }, body: "is {{.n}}" }
                  - http: "http://127.0.0.1:1/x"
                  - file: { path: "/var/{{.n}}", format: "n={{.n}}" }
                  - stdout
            """)
        #expect(
            config.lines("files", #"{"n":7,"unit":"nginx"}"#) == [
                #"0.000s files {"n":7,"unit":"nginx"}"#, #"0.000s p {"n":7,"unit":"nginx"}"#,
                "0.000s p/unit would reload nginx.service",
                "0.000s p/journal would record notice: 7 renewed PATH_NAME=7",
                #"0.000s p/command would run echo 'it'\''s' 7"#,
                "0.000s p/http would POST http://127.0.0.1:1/7 with is 7",
                #"0.000s p/http-2 would POST http://127.0.0.1:1/x with {"n":7,"unit":"nginx"}"#,
                "0.000s p/file would append to /var/7: n=7", #"0.000s p/stdout would print {"n":7,"unit":"nginx"}"#,
                "7 actions in place of sinks",
            ])
        let details = config.answer(.values(node: "p", every: .zero), #"{"n":7,"unit":"nginx"}"#).details["entries"]
        let actions = details?.array?.compactMap { $0["action"] } ?? []
        #expect(actions.count == 7 && actions[0] == ["action": "reload", "unit": "nginx.service", "mode": "replace"])
        #expect(actions[2]["run"] == ["echo", "it's", "7"] && actions[2]["environment"]?["N"] == "7")
        #expect(actions[3]["headers"]?["X-N"] == "7" && actions[3]["body"] == "is 7")
    }

    /// Sources are silent except for the one with the events, and time is virtual.
    @Test func stepsRunInVirtualTime() {
        let config = Config(
            """
              quiet: { from: files, steps: [debounce: 2s, map: .n], to: [stdout] }
              late: { from: quiet, steps: [delay: 50min], to: [stdout] }
              later: { from: quiet, steps: [delay: 70min], to: [stdout] }
              ticks: { merge: [files, tick], to: [journal: tick] }
              other: { from: tick, to: [stdout] }
            """)
        let lines = config.lines("files", "{\"n\":1}\n\n{\"n\":2}\r\n", every: .seconds(1))
        #expect(
            lines.filter { !$0.contains("ticks") } == [
                #"0.000s files {"n":1}"#, #"1.000s files {"n":2}"#, "3.000s quiet 2",
                "3.000s quiet/stdout would print 2",
                "3003.000s late 2", "3003.000s late/stdout would print 2",
                "3601.000s later 'delay' at 7:33 passed none of 1 event", "4 actions in place of sinks",
            ])
        #expect(
            lines.contains { $0.hasPrefix("0.000s ticks/journal would record info: tick") }
                && !lines.contains { $0.contains("other") })
        #expect(config.lines("files", #"{"n":1}"#, for: .seconds(1)).last == "1 action in place of sinks")
        // A pipeline gets the events in place of its inputs.
        #expect(config.lines("late", "5").first == "3000.000s late 5")
        #expect(
            config.lines("other", #"{"tick":0}"#) == [
                #"0.000s other {"tick":0}"#, #"0.000s other/stdout would print {"tick":0}"#,
                "1 action in place of sinks",
            ])
    }

    @Test func sourcesInStepsEmitGivenResults() {
        let config = Config(
            """
              p: { from: files, steps: [flatMap: { http: { url: "http://127.0.0.1:1/{{.n}}" } }, map: .ok], to: [stdout] }
              grouped: { from: files, steps: [groupBy: { key: ., steps: [flatMapLatest: { interval: 1h }] }], to: [stdout] }
              plain: { from: files, to: [stdout] }
            """)
        #expect(
            config.lines("p", #"{"n":1}"#) == [
                "0.000s p would start a source: GET http://127.0.0.1:1/1",
                "3600.000s p 'flatMap' at 5:29 passed none of 1 event", "no sink would act",
            ])
        #expect(
            config.lines("p", #"{"n":1}"#, results: [#"p={"ok":true}"#]).dropFirst() == [
                "0.000s p true", "0.000s p/stdout would print true", "1 action in place of sinks",
            ])
        #expect(
            config.lines("p", "1", results: ["p"]).first?.hasPrefix("'p' is not a result: write PIPELINE=JSON") == true)
        #expect(config.lines("p", "1", results: ["q=1"]).first?.hasPrefix("there is no pipeline 'q'") == true)
        #expect(
            config.lines("plain", "1", results: ["plain=1"])
                == ["no step of pipeline 'plain' starts a source, so it takes no result"])
        #expect(config.lines("grouped", "1", results: ["grouped=7"]).contains("0.000s grouped 7"))
    }

    private static let combined = """
          up: { from: tick, steps: [filter: .tick > 100], to: [journal: "up"] }
          latest: { from: files, steps: [withLatestFrom: { from: up, map: "[., $latest]" }], to: [stdout] }
          both: { combineLatest: { file: files, up: up }, to: [stdout] }
          pairs: { zip: [files, up], to: [stdout] }
          alone: { from: tick, to: [stdout] }

        """

    /// Without the value of another node nothing is emitted, which is said with what to do.
    @Test func nodeWithoutValueIsNamed() {
        let config = Config(Self.combined)
        let reason = "'up' emitted no event; give one to rxwatchctl try with --with up=JSON, or record it, too"
        #expect(
            config.lines("files", "1") == [
                "0.000s files 1", "3600.000s latest 'withLatestFrom' at 6:34 passed none of 1 event: \(reason)",
                "3600.000s both 'combineLatest' emitted nothing: \(reason)",
                "3600.000s pairs 'zip' emitted nothing: \(reason)",
                "no sink would act",
            ])
        let entries = config.answer(.values(node: "files", every: .zero), "1").details["entries"]?.array ?? []
        #expect(entries.compactMap { $0["without"] } == [["up"], ["up"], ["up"]])
        #expect(entries.compactMap { $0["combination"] } == ["combineLatest", "zip"])
    }

    /// Other nodes emit their values first, whatever their steps would do with them, and only for what gets the events.
    @Test func otherNodesEmitGivenValues() {
        let config = Config(Self.combined)
        let lines = config.lines("files", "1", with: ["up=7"])
        #expect(lines.prefix(2) == ["0.000s up 7", "0.000s files 1"])
        #expect(
            Set(lines) == [
                "0.000s up 7", "0.000s files 1", "0.000s latest [1,7]", "0.000s latest/stdout would print [1,7]",
                #"0.000s both {"file":1,"up":7}"#, #"0.000s both/stdout would print {"file":1,"up":7}"#,
                "0.000s pairs [1,7]",
                "0.000s pairs/stdout would print [1,7]", "3 actions in place of sinks",
            ])
        // A pipeline that gets the events itself, and the values of a file.
        let folder = TemporaryDirectory()
        folder.write("values", "1\n2\n")
        #expect(
            config.lines("latest", "5", with: ["up=\(folder("values"))"])
                == [
                    "0.000s up 1", "0.000s up 2", "0.000s latest [5,2]", "0.000s latest/stdout would print [5,2]",
                    "1 action in place of sinks",
                ])
        // A source, whose other pipelines do not run.
        #expect(!config.lines("up", #"{"tick":500}"#, with: ["files=1"]).contains { $0.contains("latest [") })
        #expect(
            config.lines("up", #"{"tick":500}"#, with: ["files=1"]).contains(
                #"0.000s both {"file":1,"up":{"tick":500}}"#))
    }

    @Test(arguments: [
        ("up", "'up' gives no value: write OTHER=JSON or OTHER=FILE, such as up={\"ok\":true}"),
        ("ups=1", "there is no source or pipeline 'ups' in PATH; did you mean 'up'?"),
        (
            "alone=1",
            "--with alone: it gives no event to the pipelines that get those of 'files'; these also take events of up"
        ),
        (
            "files=1",
            "--with files: it gives no event to the pipelines that get those of 'files'; these also take events of up"
        ),
        ("up={", "--with up: '{' is neither JSON nor a file that can be read: No such file or directory"),
    ])
    func wrongOtherIsNamed(text: String, message: String) {
        let config = Config(Self.combined)
        let answer = config.answer(.values(node: "files", every: .zero), "1", with: [text])
        #expect(answer.message.replacing(config.path, with: "PATH") == message && answer.exitCode == ExitCode.failure)
    }

    @Test func failuresAreShown() {
        let config = Config(
            """
              p: { from: files, steps: [map: .a.b], onError: { to: q }, to: [stdout] }
              q: { from: onError, to: [journal: "{{.error}}"] }
              r: { from: files, to: [journal: "{{.a | keys | length}}"] }
            """)
        let answer = config.answer(.values(node: "files", every: .zero), #"{"a":"x"}"#)
        #expect(answer.exitCode == 1)
        let lines = config.lines("files", #"{"a":"x"}"#)
        #expect(
            lines.contains {
                $0.hasPrefix("0.000s p failed: 5:") && $0.contains("map failed on files:0: Cannot index")
            },
            "\(lines)")
        #expect(lines.contains { $0.hasPrefix("0.000s q/journal would record info:") && $0.contains("Cannot index") })
        #expect(lines.contains { $0.hasPrefix("0.000s r/journal failed: 7:") })
        #expect(lines.last == "1 action in place of sinks, 2 failures")
    }

    @Test(arguments: [
        ("", "there is no event"), ("\n \n", "there is no event"), ("{\n}x", "line 1 is not JSON"),
        ("1\nx", "line 2 is not JSON: expected a value at byte 1; write each event on a line of its own"),
        ("{\"a\":\n1", "line 1 is not JSON: expected a value at byte 6; write each event on a line of its own"),
    ])
    func errorsAreNamed(text: String, message: String) {
        let config = Config("  p: { from: files }")
        let answer = config.answer(.values(node: "p", every: .zero), text)
        #expect(answer.exitCode == 1 && answer.message.hasPrefix(message), "\(answer.message)")
        #expect(
            config.lines("fles", "1") == [
                "there is no source or pipeline 'fles' in \(config.path); did you mean 'files'?"
            ])
        #expect(
            Config("  p: { frm: files }").answer(.values(node: "p", every: .zero), "1").exitCode == ExitCode.badConfig)
    }

    /// The times of a recording are kept, also if they do not begin at zero or are not in order.
    @Test func recordingsAreReplayed() {
        let config = Config("  p: { combineLatest: [files, tick], to: [stdout] }")
        let answer = config.answer(
            .recording,
            """
            {"node":"tick","time":1700000002.5,"value":1}
            {"node":"files","time":1700000001,"value":"a"}
            """)
        #expect(
            answer.message.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } == [
                #"0.000s files "a""#, "1.500s tick 1", #"1.500s p ["a",1]"#, #"1.500s p/stdout would print ["a",1]"#,
                "1 action in place of sinks",
            ])
        for (text, message) in [
            (#"{"node":"tick"}"#, "line 1 is not a recorded event"), ("[]", "line 1 is not a recorded event"),
            (#"{"node":"tick","value":1,"time":"x"}"#, "line 1: 'time' is not a number"),
            (#"{"node":"tick","value":1,"time":1e300}"#, "line 1: 'time' is not a number"),
        ] {
            #expect(config.answer(.recording, text).message.hasPrefix(message))
        }
    }

    /// What a recorded pipeline has emitted follows from the recorded sources; without these it is taken as emitted.
    @Test func recordedPipelinesAreNotRepeated() {
        let config = Config(
            """
              p: { from: files, steps: [map: . + 1], to: [stdout] }
              q: { from: p, steps: [map: . * 10], to: [stdout] }
            """)
        func lines(_ recording: String) -> [String] {
            config.answer(.recording, recording).message.split(separator: "\n")
                .map { $0.split(separator: " ").joined(separator: " ") }
        }
        let source = #"{"node":"files","time":1,"value":1}"#
        let all = lines(
            source + "\n" + #"{"node":"p","time":1.001,"value":2}"# + "\n" + #"{"node":"q","time":1.002,"value":20}"#)
        #expect(all == lines(source) && all.last == "2 actions in place of sinks" && all.contains("0.000s q 20"))
        let pipelines = lines(#"{"node":"p","time":1,"value":5}"# + "\n" + #"{"node":"q","time":1,"value":50}"#)
        #expect(
            pipelines == ["0.000s p 5", "0.000s q 50", "0.000s q/stdout would print 50", "1 action in place of sinks"])
    }

    /// The time after the last event counts, and its end is a part of it.
    @Test func lengthFollowsLastEvent() {
        let config = Config("  p: { from: files, steps: [debounce: 2s], to: [stdout] }")
        let text = #"{"node":"files","time":0,"value":1}"# + "\n" + #"{"node":"files","time":7200,"value":2}"#
        for (length, count) in [(1, 1), (2, 2)] {
            let message = config.answer(.recording, text, for: .seconds(length)).message
            #expect(message.hasSuffix("\n\(counted(count, "action")) in place of sinks"), "\(message)")
        }
    }

    @Test func endlessTrialIsRefused() {
        let config = Config("  p: { from: files, steps: [flatMapLatest: { interval: 1s }], to: [stdout] }")
        let answer = config.answer(.values(node: "files", every: .zero), "1", for: .seconds(1_000_000))
        #expect(answer.exitCode == 1 && answer.message.hasPrefix("more than 200000 lines of output, the last at "))
    }

    @Test func pipelinesThatDoNotRunAreNamed() {
        let config = Config("  p: { from: files, steps: [map: error] }\n  q: { from: files, to: [stdout] }")
        #expect(
            config.lines("files", "1") == [
                "0.000s p does not run: it has no sink, and nothing that runs takes its events", "0.000s files 1",
                "0.000s q 1",
                "0.000s q/stdout would print 1", "1 action in place of sinks",
            ])
    }

    /// A source from which nothing that runs takes events emits them nevertheless.
    @Test func eventsThatNothingTakesAreShown() throws {
        let config = Config("  p: { from: tick, to: [stdout] }\n")
        let none = "no sink would act"
        #expect(
            config.lines("files", "1\n2", every: .seconds(2)) == [
                "0.000s files does not run: no pipeline takes its events", "0.000s files 1", "2.000s files 2", none,
            ])
        let idle = Config("  p: { from: files }\n")
        #expect(
            idle.lines("files", "1") == [
                "0.000s files does not run: nothing that runs takes its events", "0.000s files 1",
                "0.000s p does not run: it has no sink, and nothing that runs takes its events", none,
            ])
        let recording = #"{"node":"tick","time":5,"value":7}"# + "\n" + #"{"node":"files","time":6,"value":8}"#
        let answer = config.answer(.recording, recording)
        #expect(
            answer.message.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } == [
                "0.000s files does not run: no pipeline takes its events", "0.000s tick 7", "0.000s p 7",
                "0.000s p/stdout would print 7", "1.000s files 8", "1 action in place of sinks",
            ])
        #expect(answer.details["entries"]?.array?.last?["value"] == 8)
    }

    @Test func longValueIsCut() {
        let config = Config("  p: { from: files, to: [stdout] }")
        let text = config.answer(.values(node: "p", every: .zero), "\"\(String(repeating: "x", count: 10_000))\"")
            .message
        #expect(text.utf8.count < 10_000 && text.contains("… (10002 bytes)"))
    }

    @Test func differenceOfConfigsIsShown() {
        let (old, new) = (
            Config("  p: { from: files, steps: [map: .n], to: [stdout] }"),
            Config("  p: { from: files, steps: [map: .n + 1], to: [stdout] }")
        )
        func answer(_ config: String, _ other: String) -> ControlAnswer {
            ConfigTrial(config, .values(node: "p", every: .zero), for: .seconds(1), against: other).answer(
                Array("{\"n\":1}\n{\"n\":\"x\"}".utf8), Substitution(environment: [:]))
        }
        let difference = answer(new.path, old.path)
        #expect(difference.exitCode == 1)
        #expect(
            difference.message.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.prefix(4)
                == [
                    "- 0.000s p 1", "- 0.000s p/stdout would print 1", #"- 0.000s p "x""#,
                    #"- 0.000s p/stdout would print "x""#,
                ])
        let same = answer(old.path, old.path)
        #expect(same.exitCode == 0 && same.message.hasSuffix("\nthe same"))
    }

    /// The longest name decides how wide the column of the nodes is, which is no difference.
    @Test func longNodeNameChangesNoOtherLine() {
        let steps = "{ from: files, steps: [map: .n], to: [stdout] }"
        let (old, new) = (Config("  p: \(steps)"), Config("  p: \(steps)\n  longer-name: \(steps)"))
        let answer = ConfigTrial(new.path, .recording, for: .seconds(1), against: old.path).answer(
            Array(#"{"node":"files","time":0,"value":{"n":1}}"#.utf8), Substitution(environment: [:]))
        #expect(
            answer.message == """
                  0.000s  files               {"n":1}
                  0.000s  p                   1
                  0.000s  p/stdout            would print 1
                + 0.000s  longer-name         1
                + 0.000s  longer-name/stdout  would print 1
                2 differences
                """)
    }

    /// Only the lines around a difference are shown; the others are counted, and are in the JSON.
    @Test func equalLinesFarFromDifferenceAreCounted() {
        let old = Config("  p: { from: files, steps: [map: .], to: [stdout] }")
        let new = Config("  p: { from: files, steps: [map: if . == 10 then 0 else . end], to: [stdout] }")
        func answer(_ config: Config) -> ControlAnswer {
            ConfigTrial(
                config.path, .values(node: "files", every: .seconds(1)), for: .seconds(1), against: old.path
            ).answer(Array((0..<20).map { "\($0)\n" }.joined().utf8), Substitution(environment: [:]))
        }
        let difference = answer(new)
        #expect(
            difference.message == """
                  (28 equal lines)
                   9.000s  p         9
                   9.000s  p/stdout  would print 9
                  10.000s  files     10
                - 10.000s  p         10
                - 10.000s  p/stdout  would print 10
                + 10.000s  p         0
                + 10.000s  p/stdout  would print 0
                  11.000s  files     11
                  11.000s  p         11
                  11.000s  p/stdout  would print 11
                  (24 equal lines)
                4 differences
                """)
        #expect(difference.details["entries"]?.array?.count == 60 && difference.details["against"]?.array?.count == 60)
        #expect(answer(old).message == "  (60 equal lines)\nthe same")
    }

    /// Times are rounded to milliseconds, unless lines that differ would look the same.
    @Test func timesOfDifferenceAreShown() {
        func message(_ delays: (String, String)) -> String {
            let (old, new) = (
                Config("  p: { from: files, steps: [delay: \(delays.0)], to: [stdout] }"),
                Config("  p: { from: files, steps: [delay: \(delays.1)], to: [stdout] }")
            )
            return ConfigTrial(new.path, .values(node: "files", every: .zero), for: .seconds(60), against: old.path)
                .answer(
                    Array("1".utf8), Substitution(environment: [:])
                ).message
        }
        #expect(
            message(("18621us", "2039772us")) == """
                  0.000s  files     1
                - 0.019s  p         1
                - 0.019s  p/stdout  would print 1
                + 2.040s  p         1
                + 2.040s  p/stdout  would print 1
                4 differences
                """)
        #expect(
            message(("2039772us", "2039773us")) == """
                  0.000000s  files     1
                - 2.039772s  p         1
                - 2.039772s  p/stdout  would print 1
                + 2.039773s  p         1
                + 2.039773s  p/stdout  would print 1
                4 differences
                """)
    }

    /// Values are cut to the width of the terminal, so that what differs is shown; reasons are whole.
    @Test func longValuesAreCut() {
        let long = String(repeating: "x", count: 100)
        let new = Config(
            """
              p: { from: files, steps: [map: .n], to: [stdout] }
              q: { from: files, steps: [map: .n.b], to: [stdout] }
            """)
        let old = Config("  p: { from: files, steps: [map: '.n + \"y\"'], to: [stdout] }")
        func lines(_ columns: Int?, against other: String? = nil) -> [String] {
            ConfigTrial(new.path, .values(node: "files", every: .zero), for: .seconds(1), against: other).answer(
                Array(#"{"n":"\#(long)"}"#.utf8), Substitution(environment: [:]), columns: columns
            ).message.split(separator: "\n").map(String.init)
        }
        let (cut, whole) = (lines(40), lines(nil))
        #expect(cut.count == whole.count)
        #expect(cut.first == #"0.000s  files     {"n":"xxxxxxxxxxxxxxx…"#)
        for (line, all) in zip(cut, whole) {
            let isCut = all.count > 40 && !all.contains("failed: ")
            #expect(line == (isCut ? "\(all.prefix(39))…" : all))
        }
        #expect(cut.contains { $0.contains("failed: ") && $0.count > 40 })
        let compared = lines(40, against: old.path)
        #expect(compared.first?.count == 40)
        #expect(compared.contains { $0.hasPrefix("- ") && $0.contains("  p         …xx") && $0.hasSuffix("xy\"") })
        #expect(compared.allSatisfy { $0.count <= 40 || $0.contains("failed: ") }, "\(compared)")
    }

    @Test func credentialsAreNotShown() {
        let config = Config(
            #"  p: { from: files, to: [http: { url: "http://u:very-secret@127.0.0.1/", headers: { A: "${credential:key}" } }] }"#
        )
        let lines = config.lines("p", "1")
        #expect(!lines.contains { $0.contains("extremely") }, "\(lines)")
    }
}
