import ConfigTestSupport
import RxDiagnostics
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// Tests of the sinks that finish immediately.
struct SinkTests {
    @Test(arguments: [
        ("journal", "info {\"a\":[1,null]}"),
        ("journal:", "info {\"a\":[1,null]}"),
        ("journal: {}", "info {\"a\":[1,null]}"),
        ("journal: ''", "info "),
        ("journal: changed", "info changed"),
        ("journal: 5", "info 5"),
        ("journal: 'a is {{.a}}, {{.a[]}}'", "info a is [1,null], 1 null"),
        ("journal: { message: '{{.a[0]}}' }", "info 1"),
        ("journal: { priority: crit }", "crit {\"a\":[1,null]}"),
        ("journal: { priority: debug, message: '{{$event.cause}}' }", "debug tick:0"),
        (
            "journal: '{{$event}}'",
            #"info {"source":"tick","sequence":0,"time":1.5,"cause":"tick:0","id":"tick:0","redelivered":false,"replayed":false}"#
        ),
    ])
    func journalSinkWritesRecord(config: String, line: String) async throws {
        let rig = try SinkRig(config)
        try rig.give(["a": [1, .null]])
        let records = rig.records.value
        #expect(records.map { "\($0.priority) \($0.message)" } == [line] && rig.lines.value == [])
        #expect(records.first?.kind == .event && records.first?[.sink] == "journal")
        #expect(records.first?[.pipeline] == "p" && records.first?[.cause] == "tick:0")
        try await rig.finish()
    }

    @Test(arguments: Priority.allCases) func everyPriorityCanBeChosen(priority: Priority) throws {
        let rig = try SinkRig("journal: { priority: \(priority.rawValue) }")
        try rig.give("x")
        #expect(rig.records.value.map(\.priority) == [priority])
    }

    @Test func journalRecordHasConfiguredFields() throws {
        let rig = try SinkRig(
            "journal: { message: x, fields: { CERT_PATH: '{{.path}}', A1: '{{$event.cause}}', B: c } }")
        try rig.give(["path": "/a\nb"])
        let own = rig.records.value.first?.ownFields ?? []
        #expect(own.map { "\($0.name)=\($0.value)" } == ["CERT_PATH=/a\nb", "A1=tick:0", "B=c"])
        let failing = try SinkRig("journal: { fields: { A: '{{error(\"no\")}}' } }")
        try failing.give(1)
        #expect(failing.problems == ["p: journal failed: t.yaml:1:28: no"])
    }

    @Test func failedTemplateIsFailureOfSink() throws {
        let rig = try SinkRig(#"journal: '{{error("no")}}'"#)
        try rig.give("x")
        #expect(rig.problems == ["p: journal failed: t.yaml:1:13: no"])
    }

    @Test(
        arguments: [
            (.null, "null"), ("a\nb", #""a\nb""#), (["b": 1, "a": true], #"{"b":1,"a":true}"#), (0.5, "0.5"),
        ] as [(JSON, String)])
    func stdoutSinkPrintsLineOfJSON(value: JSON, line: String) throws {
        let rig = try SinkRig("stdout")
        try rig.give(value)
        #expect(rig.lines.value == [line] && rig.records.value.isEmpty)
        #expect(rig.sink?.queued == 0 && rig.sink?.dropped == 0)
    }

    @Test func printedLineHasRecordIfConfigured() throws {
        let rig = try SinkRig("stdout: { records: all }")
        try rig.give(1, 2)
        #expect(rig.lines.value == ["1", "2"])
        #expect(rig.done == ["tick:0 p: stdout done: a line printed", "tick:1 p: stdout done: a line printed"])
    }

    @Test func workOfCommandHasNoRecordIfConfigured() async throws {
        let rig = try SinkRig("command: { run: ['true'], records: failures }")
        try rig.give(1)
        try await rig.finish()
        #expect(rig.records.value.map(\.message) == [])
    }

    @Test(
        arguments: [
            ("journal: { fields: { _PID: x } }", "'_PID' is not a valid field name"),
            ("journal: { fields: { 1A: x } }", "'1A' is not a valid field name"),
            ("journal: { fields: { path: x } }", "'path' is not a valid field name"),
            ("journal: { fields: { '': x } }", "'' is not a valid field name"),
            (
                "journal: { fields: { RX_PATH: x } }",
                "'RX_PATH' cannot be set: the daemon writes this field itself; choose another name"
            ),
            ("journal: { fields: { MESSAGE: x } }", "'MESSAGE' cannot be set"),
            ("journal: { fields: [A] }", "expected a mapping"),
            ("journal: { records: all }", "unknown key 'records' in journal"),
            ("stdout: { records: none }", "expected one of all, failures"),
            (
                "command",
                "command needs a mapping; found nothing; write { run: [df, /] }"
            ),
            ("command: {}", "command needs 'run'"),
            ("command: echo", "found 'echo'; write { run: [sh, -c, \"echo\"] }"),
            ("command: { run: 'touch {{.b}}' }", "write a list such as [df, --output=pcent, /]"),
            ("command: { run: [] }", "a command needs a program"),
            ("command: { run: [''] }", "a command needs a program"),
            (
                "command: { run: ['touch a'] }",
                "'touch a' is not a program: write its arguments apart, as in [touch, a]"
            ),
            ("command: { run: [a, '{{.b'] }", "this '{{' has no '}}'"),
            ("command: { run: [a], timeout: 0 }", "expected a duration from 1ms"),
            ("command: { run: [a], overlap: lates }", "did you mean 'latest'?"),
            ("command: { run: [a], queue: 0 }", "expected a whole number from 1 to 1000000"),
            ("command: { run: [a], queue: many }", "from 1 to 1000000, or { disk: 256MiB }, found 'many'"),
            (
                "command: { run: [a], queue: { disk: 12 } }",
                "expected a size from 64KiB to 1TiB such as 64KiB or 1MiB, found '12'"
            ),
            ("command: { run: [a], queue: { disk: 1MB } }", "expected a size from 64KiB to 1TiB"),
            ("command: { run: [a], queue: { disk: 99999999999GiB } }", "expected a size from 64KiB to 1TiB"),
            (
                "command: { run: [a], queue: { disk: 1MiB }, overflow: dropNewest }",
                "a full queue on disk holds back the source"
            ),
            ("command: { run: [a], queue: { disk: 1MiB }, overlap: latest }", "'queue' goes with 'overlap: queue'"),
            ("command: { run: [a], overflow: latest }", "expected one of dropOldest, dropNewest"),
            ("command: { run: [a], overlap: drop, queue: 5 }", "'queue' goes with 'overlap: queue'"),
            ("command: { run: [a], overlap: cancel, overflow: dropNewest }", "'overflow' goes with 'overlap: queue'"),
            (
                "command: { run: [a], environment: { RX_VALUE: x } }",
                "the daemon sets the variables that begin with RX_"
            ),
            ("command: { run: [a], environment: { 1A: x } }", "'1A' is not the name of an environment variable"),
            ("command: { run: [a], environment: { 'A=B': x } }", "'A=B' is not the name of an environment variable"),
            ("http: ftp://a", "'ftp://a' is not a URL: it must begin with https:// or http://"),
            ("http: htt", "'htt' is not a URL"),
            ("http: ''", "'' is not a URL"),
            ("http: 'http://a b/'", "'http://a b' is not a URL: it has a space"),
            ("http: 'http:///x'", "'http://' is not a URL: the server is missing"),
            (
                "http: { url: 'http://a', method: post }",
                "'post' is not an HTTP method such as POST; did you mean 'POST'?"
            ),
            ("http: { url: 'http://a', method: 'GE T' }", "'GE T' is not an HTTP method"),
            ("http: { url: 'http://a', headers: { 'a b': c } }", "'a b' is not the name of a header field"),
            ("http: { url: 'http://a', headers: { A: \"b\\nc\" } }", "this has a line end or a NUL in it"),
            ("http: 'ftp://{{.}}'", "this is not a URL"),
            ("http: { url: 'http://a', retry: { delay: 0 } }", "a retry without a delay repeats as fast as it can"),
            ("http: { url: 'http://a', retry: { backoff: 0s..1s } }", "a retry without a delay repeats as fast as"),
            ("http: { url: 'http://a', retry: { backoff: 1s } }", "expected two durations such as 1s..1min"),
            ("http: { url: 'http://a', retry: { backoff: 2s..1s } }", "the first the shorter"),
            ("http: { url: 'http://a', retry: { backoff: 2s..3s, delay: 1s } }", "exclude each other; remove one"),
            ("http: { url: 'http://a', retry: { jitter: 2 } }", "expected a number from 0 to 1"),
            ("http: { url: 'http://a', retry: { backof: 1s } }", "did you mean 'backoff'?"),
            ("http: { url: 'http://a', retry: often }", "expected a whole number from 0 to 1000"),
            ("file: events.jsonl", "begin it with '/'"),
            ("file: { format: x }", "file needs 'path'"),
            ("file: '{{.path}}'", "the path is a relative path; begin it with '/'"),
            ("file: 'a/{{.path}}'", "the path is a relative path; begin it with '/'"),
            ("file: { path: /a, mode: 640x }", "expected permissions such as \"0640\""),
            ("file: { path: /a, mode: '1777' }", "expected permissions such as \"0640\""),
            ("file: { path: /a, mode: 8 }", "expected permissions such as \"0640\""),
            ("file: { path: /a, overlap: drop }", "unknown key 'overlap' in file"),
            ("unit: {}", "unit needs one of start, stop, restart, reload"),
            ("unit: { mode: fail }", "unit needs one of start, stop, restart, reload"),
            ("unit: { relaod: a.service }", "unknown key 'relaod' in unit; did you mean 'reload'?"),
            ("unit: { start: a.service, stop: b.service }", "found 'start' and 'stop'"),
            ("unit: { start: nginx }", "'nginx' is not the name of a unit"),
            ("unit: { start: a.service, mode: replcae }", "did you mean 'replace'?"),
        ]) func invalidSinksAreErrors(sink: String, complaint: String)
    {
        let found = complaints { () throws(Diagnostics) in
            _ = try Plan.read(
                "sources: { s: { interval: 1s } }\npipelines: { p: { from: s, to: [\(sink)] } }".utf8, file: "t.yaml")
        }
        #expect(found.count == 1 && found.first?.hasPrefix("2:") == true, "\(found)")
        #expect(found.first?.contains(complaint) == true, "\(found)")
    }

    @Test(arguments: [
        "command: { run: ['{{.program}}'] }", "http: 'http{{.}}'", "http: '{{.url}}'",
        "http: { url: 'HTTPS://a', method: PATCH, headers: { x-a: '{{.}}' }, retry: 0, queue: 1, overflow: dropNewest }",
        "http: { url: 'http://a', retry: { times: 3, delay: 100ms, jitter: 0 } }", "file: /a",
        "file: { path: /a, mode: 0600 }",
        "unit: { restart: 'a@{{.}}.service', mode: ignore-dependencies, timeout: 5s, overlap: drop }",
    ]) func validSinksAreAccepted(sink: String) throws {
        _ = try SinkRig(sink)
    }
}
