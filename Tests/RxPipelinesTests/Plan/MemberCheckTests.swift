import RxDiagnostics
import Testing

@testable import RxPipelines

/// Members that the events of a source never have.
struct MemberCheckTests {
    /// The warnings about these pipelines, as `LINE:COLUMN MESSAGE`.
    private static func warnings(_ pipelines: String) throws -> [String] {
        let config = """
            sources:
              api: { http: { url: "http://127.0.0.1:1", every: 15s } }
              tick: { interval: 1s }
              logs: { journal: { match: { _SYSTEMD_UNIT: sshd.service } } }
              etc: { files: /etc/ssl }
            pipelines:
            \(pipelines)
            """
        return try LoadedConfig([("t.yaml", Array(config.utf8))], Substitution()).warnings.list.map {
            "\($0.location.line):\($0.location.column) \($0.message)"
        }
    }

    private static let members = "ok, status, headers, body, timing, changed, error, certificate"

    @Test(
        arguments: [
            ("filter: .code == 500", "code; they have \(members)"),
            ("filter: .statsu >= 500", "statsu; did you mean 'status'?"),
            ("filter: (.ok | not)", nil), ("filter: .ok and .stauts > 1", "stauts; did you mean 'status'?"),
            ("map: .header", "header; did you mean 'headers'?"), ("compactMap: .x", "x; they have \(members)"),
            ("distinctUntilChanged: { by: .x }", "x; they have \(members)"),
            ("skipWhile: .x", "x; they have \(members)"),
            ("takeWhile: .x", "x; they have \(members)"), ("filter: -.x > 0", "x; they have \(members)"),
            // These members exist, or are not of the event, or are made.
            ("filter: .status >= 500 and .timing.total > 0.5", nil), ("filter: '.body.x == 1 and .body[0].y'", nil),
            ("filter: $event.id == 1", nil), ("filter: '.body | .x'", nil), ("map: '{x: .y}'", nil),
            ("map: '.x = .ok'", nil), ("map: '.x |= 1'", nil), ("map: 'def f: .x; .body | f'", nil),
            ("map: 'try error catch .x'", nil), (#"map: '"a.b" + ".c"'"#, nil), ("map: '.ok # .x'", nil),
            ("filter: '.[\"x\"]'", nil), ("map: .. | numbers", nil), ("map: .5", nil), ("filter: .body?.x?.y", nil),
        ] as [(String, String?)])
    func unknownMemberIsFound(step: String, member: String?) throws {
        let found = try Self.warnings("  p: { from: api, steps: [{ \(step) }], to: [stdout] }")
        let expected = member.map { text in
            let parts = text.split(separator: ";", maxSplits: 1)
            return "events of api have no member '\(parts[0])', so this is null;\(parts[1])"
        }
        #expect(
            found.map { String($0.drop { $0 != " " }.dropFirst()) } == [expected].compactMap(\.self))
    }

    /// The kinds of changes are a closed list.
    @Test(arguments: [
        (#".kind == "modifed""#, #"'modifed' is never the kind of an event of etc; did you mean 'modified'?"#),
        (
            #".path == "x" and .kind!="CREATED""#,
            "'CREATED' is never the kind of an event of etc; did you mean 'created'?"
        ),
        (
            #".kind == "modify""#,
            "'modify' is never the kind of an event of etc; it is one of created, modified, removed, moved, attributes, "
                + "overflow, closed"
        ),
        (#".kind == "modified" or .kind != "overflow""#, nil), (#".path == "modify""#, nil),
        (#".kind == "mod\("ify")""#, nil), (#".kind == $event.source"#, nil), (#".kind | . == "x""#, nil),
        (#".kind == "mod" + "ified""#, nil),
        (#""x" + .kind == "xmodified""#, nil), (#".kind == "amodified"[1:]"#, nil), (#"(.kind | length) == "x""#, nil),
        (#".kind.x == "y""#, nil),
    ])
    func impossibleTextIsFound(condition: String, message: String?) throws {
        let found = try Self.warnings("  p: { from: etc, steps: [{ filter: '\(condition)' }], to: [stdout] }")
        #expect(found.map { String($0.drop { $0 != " " }.dropFirst()) } == [message].compactMap(\.self))
    }

    @Test func valuesAreFollowedUntilStepMakesOthers() throws {
        let found = try Self.warnings(
            """
              a: { from: tick, steps: [{ filter: .x }, debounce: 100ms, take: 5, { map: .y }, { map: .z }] }
              b: { from: tick, steps: [skip: 1] }
              c: { from: b, steps: [{ filter: .x }], to: [stdout] }
              d: { from: a, steps: [{ filter: .x }], to: [stdout] }
              e: { from: logs, steps: [{ filter: .x }], to: [stdout] }
              f: { merge: [tick, api], steps: [{ filter: .x }], to: [stdout] }
              g: { from: tick, steps: [{ scan: { seed: 0, next: . } }, { filter: .x }], to: [stdout] }
            """)
        #expect(found.map { String($0.prefix { $0 != " " }) } == ["7:39", "7:78", "9:36"])
    }

    /// Templates of sinks, whose input is the value that the steps emit.
    @Test(
        arguments: [
            (#"journal: "x {{.stauts}} {{.ok}}""#, ["7:41"]),
            (#"command: { run: [echo, "{{.status}}", "{{.bdy}}"] }"#, ["7:68"]),
            (#"file: { path: "/tmp/{{.x}}", format: "{{.ok}}" }"#, ["7:49"]),
            (#"journal: "{{$event.id}} {{.body.x}}""#, []),
        ] as [(String, [String])])
    func unknownMemberOfTemplateIsFound(sink: String, places: [String]) throws {
        for (steps, isChecked) in [("skip: 1", true), ("map: .body", false)] {
            let found = try Self.warnings("  p: { from: api, to: [{ \(sink) }], steps: [{ \(steps) }] }")
            #expect(found.map { String($0.prefix { $0 != " " }) } == (isChecked ? places : []), "\(found)")
        }
    }

    /// A pipeline that receives failures has other events, too.
    @Test func receiversOfFailuresAreNotChecked() throws {
        let found = try Self.warnings(
            """
              a: { from: tick, steps: [{ map: .tick }], onError: { to: b }, to: [stdout] }
              b: { from: tick, steps: [{ filter: .error }], to: [stdout] }
            """)
        #expect(found == [])
    }
}
