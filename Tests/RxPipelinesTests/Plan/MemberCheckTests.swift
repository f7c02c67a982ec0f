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
              disk: { command: { run: [df], every: 1min } }
              nginx: { unit: nginx.service }
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

    /// Of what type each member is, and what to write for a constant of another one.
    @Test(
        arguments: [
            (
                "api", #".ok == "true""#,
                #""true" is never the ok of an event of api, which is true or false; write true"#
            ),
            ("api", ".ok == 0", "0 is never the ok of an event of api, which is true or false; write false"),
            (
                "api", #".ok != "yes""#,
                #""yes" is never the ok of an event of api, which is true or false; write true or false"#
            ),
            (
                "api", #".ok and .status == "200""#,
                #""200" is never the status of an event of api, which is a number; write 200"#
            ),
            (
                "api", #".status? != "ok""#,
                #""ok" is never the status of an event of api, which is a number; compare it with a number"#
            ),
            (
                "api", #".status >= "500" or .ok"#,
                "the status of an event of api is a number, which is always less than a text; write 500"
            ),
            (
                "api", #".timing.total == "1""#,
                #""1" is never the timing.total of an event of api, which is a number; write 1"#
            ),
            (
                "api", #".error == "timeout""#,
                #""timeout" is never the error of an event of api, which is an object; compare one of "#
                    + "its members, .error.code or .error.message"
            ),
            (
                "api", #".headers == "x""#,
                #""x" is never the headers of an event of api, which is an object; compare one of its members"#
            ),
            (
                "api", #".error.code == "timout""#,
                "'timout' is never the error.code of an event of api; did you mean 'timeout'?"
            ),
            (
                "api", ".error.cod",
                "the error of an event of api has no member 'cod', so this is null; did you mean 'code'?"
            ),
            (
                "api", ".error?.reason == 1",
                "the error of an event of api has no member 'reason', so this is null; it has code, message"
            ),
            ("api", ".certificate.expires < (now + 1)", nil), ("api", #".headers.x == 3 or .body.y == "1""#, nil),
            ("api", ".status == null or .error != null", nil), ("api", ".status == 200.5e0 and .ok == true", nil),
            ("disk", #".exit == "1""#, #""1" is never the exit of an event of disk, which is a number; write 1"#),
            ("disk", ".stdout != 5", #"5 is never the stdout of an event of disk, which is a text; write "5""#),
            (
                "disk", #".timedOut == "false" | not"#,
                #""false" is never the timedOut of an event of disk, which is true or false; write false"#
            ),
            ("disk", #"(.exit | tostring) == "1""#, nil), ("disk", #".exit + 1 == "2""#, nil),
            ("disk", #".exit == "1" + "2""#, nil), ("disk", #""1" + .stdout == 3"#, nil),
            ("disk", #".exit == ("1" | tonumber)"#, nil),
            ("disk", #".exit == "1" as $x | $x"#, nil), ("disk", #".exit |= tostring | .exit == "1""#, nil),
            (
                "etc", ".kind == 3",
                "3 is never the kind of an event of etc, which is a text; it is one of created, modified, removed, "
                    + "moved, attributes, overflow, closed"
            ),
            ("etc", ".size > 1000 and .directory == false", nil), ("etc", #".kind > "c""#, nil),
            (
                "nginx", #".active == "up""#,
                "'up' is never the active of an event of nginx; it is one of active, reloading, inactive, failed, "
                    + "activating, deactivating, maintenance, refreshing"
            ),
            (
                "nginx", #".load == "not-fund""#,
                "'not-fund' is never the load of an event of nginx; did you mean 'not-found'?"
            ),
            ("nginx", #".active == "failed" and .sub == "x" and .result == "y""#, nil),
            ("tick", #".tick == "3""#, #""3" is never the tick of an event of tick, which is a number; write 3"#),
            // The fields of an entry are texts, or lists of texts.
            ("logs", ".PRIORITY == 3", #"3 is never the PRIORITY of an event of logs, which is a text; write "3""#),
            (
                "logs", ".PRIORITY <= 3",
                "the PRIORITY of an event of logs is a text, which is always greater than a number; write "
                    + "(.PRIORITY | tonumber?)"
            ),
            (
                "logs", ".message == \"x\"",
                "events of logs have no member 'message', so this is null; did you mean 'MESSAGE'?"
            ),
            ("logs", "._pid", "events of logs have no member '_pid', so this is null; did you mean '_PID'?"),
            ("logs", ".level", "events of logs have no member 'level', so this is null; did you mean 'PRIORITY'?"),
            ("logs", #".PRIORITY == "3" and .MESSAGE != "x" and .ANY_FIELD and .__REALTIME_TIMESTAMP > 3"#, nil),
            ("logs", "(.PRIORITY | tonumber?) <= 3", nil),
        ] as [(String, String, String?)])
    func constantOfOtherTypeIsFound(source: String, condition: String, message: String?) throws {
        let found = try Self.warnings("  p: { from: \(source), steps: [{ filter: '\(condition)' }], to: [stdout] }")
        #expect(found.map { String($0.drop { $0 != " " }.dropFirst()) } == [message].compactMap(\.self))
    }

    /// A constant is marked, and a name.
    @Test func placesAreThoseOfConstantAndName() throws {
        let found = try Self.warnings(
            """
              p: { from: api, steps: [filter: '.ok and .status == "200"'], to: [stdout] }
              q: { from: api, steps: [filter: .ok and .error.cod], to: [stdout] }
            """)
        #expect(found.map { String($0.prefix { $0 != " " }) } == ["9:55", "10:50"])
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
        #expect(found.map { String($0.prefix { $0 != " " }) } == ["9:39", "9:78", "11:36", "13:39"])
    }

    /// Templates of sinks, whose input is the value that the steps emit.
    @Test(
        arguments: [
            (#"journal: "x {{.stauts}} {{.ok}}""#, ["9:41"]),
            (#"command: { run: [echo, "{{.status}}", "{{.bdy}}"] }"#, ["9:68"]),
            (#"file: { path: "/tmp/{{.x}}", format: "{{.ok}}" }"#, ["9:49"]),
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
