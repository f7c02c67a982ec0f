import ConfigTestSupport
import Foundation
import RxDiagnostics
import RxEngine
import RxEngineTest
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// A credential is never shown, whatever fails in the component that holds it.
@Suite(.balanced) struct CredentialTests {
    static let secret = "hunter2-Z/9"

    /// A directory of credentials with `token`, whose file ends with a newline.
    private func substitution(_ files: [String: String] = ["token": "\(secret)\n"]) throws -> (Substitution, Folder) {
        let folder = try Folder(files)
        return (Substitution(environment: ["CREDENTIALS_DIRECTORY": folder.path]), folder)
    }

    private func load(_ text: String) throws -> LoadedConfig {
        let (substitution, folder) = try substitution()
        return try withExtendedLifetime(folder) { try LoadedConfig([("t.yaml", Array(text.utf8))], substitution) }
    }

    private func config(_ source: String, _ pipeline: String = "") -> String {
        "sources:\n  a: { \(source) }\npipelines: { p: { from: a\(pipeline) } }\n"
    }

    @Test func credentialIsSubstitutedWithoutTrailingNewline() throws {
        let config = try load(config(#"http: { url: "https://x/?key=${credential:token}", every: 1s }"#))
        #expect(!config.secrets.isEmpty)
        #expect(config.plan.sources.first?.kind.summary == "GET https://x every 1s")
    }

    @Test func missingCredentialErrorSaysWhatToDo() throws {
        let (substitution, folder) = try substitution()
        func wrong(_ name: String) -> [String] {
            let text = config(#"http: { url: "${credential:\#(name)}", every: 1s }"#)
            return complaints { () throws(Diagnostics) in
                _ = try LoadedConfig([("t.yaml", Array(text.utf8))], substitution)
            }
        }
        let remedy = "hand it to the service with LoadCredential=pin:PATH"
        #expect(wrong("pin") == ["2:22: there is no credential 'pin' in \(folder.path); \(remedy)"])
        #expect(wrong("tokn").first?.contains("; did you mean 'token'? If not, hand it to the service") == true)
    }

    @Test(arguments: [
        ("a\u{0}b", "is not text in UTF-8"), (String(repeating: "x", count: (1 << 20) + 1), "has more than 1 MiB"),
    ])
    func credentialThatIsNotTextIsError(text: String, message: String) throws {
        let folder = try Folder(["token": text])
        #expect(throws: Credential.Failure.self) { try Credential.read("token", in: folder.path) }
        do {
            _ = try Credential.read("token", in: folder.path)
        } catch {
            #expect(error.message == "the credential 'token' \(message)")
        }
    }

    @Test(arguments: [("x", "x"), ("x\n", "x"), ("x\r\n", "x"), ("x\n\n", "x\n"), ("\n", ""), ("", ""), (" x ", " x ")])
    func oneTrailingNewlineIsDropped(text: String, expected: String) throws {
        let folder = try Folder(["token": text])
        #expect(try Credential.read("token", in: folder.path) == expected)
    }

    /// Wherever a credential is invalid, the message names the location and not the value.
    @Test(arguments: [
        #"interval: "${credential:token}""#,
        #"interval: { every: 1s, delay: "${credential:token}" }"#,
        #"http: { url: "${credential:token}", every: 1s }"#,
        #"http: { url: "https://x/", every: 1s, redirects: "${credential:token}" }"#,
        #"http: { url: "https://x/", every: 1s, verify: "${credential:token}" }"#,
        #"http: { url: "https://x/", every: 1s, expect: { status: "${credential:token}" } }"#,
        #"files: "${credential:token}""#,
        #"unit: "${credential:token}""#,
        #"files: { paths: /x, events: "${credential:token}" }"#,
    ])
    func noErrorOfSourceShowsCredential(source: String) throws {
        let error = try #require(throws: Diagnostics.self) { try load(config(source)) }
        #expect(!"\(error)".contains("hunter2"))
        #expect(error.list.allSatisfy { $0.location.line == 2 } && "\(error)".contains("credential"))
    }

    @Test(arguments: [
        #"steps: [map: "${credential:token}"]"#, #"steps: [filter: ". == \"${credential:token}\""]"#,
        #"steps: ["${credential:token}"]"#,
        #"steps: [scan: { seed: "${credential:token}", next: . }]"#, #"steps: [take: "${credential:token}"]"#,
        #"to: [journal: "${credential:token}"]"#, #"to: [journal: { message: "a ${credential:token}" }]"#,
        #"to: [journal: { priority: "${credential:token}" }]"#, #"to: ["${credential:token}"]"#,
        #"share: { scope: "${credential:token}" }"#,
    ])
    func noErrorOfPipelineShowsCredential(rest: String) throws {
        let error = try #require(throws: Diagnostics.self) { try load(config("interval: 1s", ", \(rest)")) }
        #expect(!"\(error)".contains("hunter2"))
        #expect("\(error)".contains("credential"))
    }

    @Test func referenceToNodeDoesNotShowCredential() throws {
        let error = try #require(throws: Diagnostics.self) {
            try load("sources: { a: { interval: 1s } }\npipelines: { p: { from: \"${credential:token}\" } }")
        }
        #expect(!"\(error)".contains("hunter2"))
    }

    /// A running sink hides the credentials of its configuration, whatever configuration was read since.
    @Test func credentialIsHiddenWhileSinkRuns() async throws {
        let (substitution, folder) = try substitution()
        func graph(_ sink: String, _ every: String, replacing other: Graph? = nil) throws -> (graph: Graph, lease: Weak)
        {
            let text =
                "sources: { a: { interval: { every: \(every), delay: 1ms } } }\npipelines: { p: { from: a, to: [\(sink)] } }"
            let config = try LoadedConfig([("t.yaml", Array(text.utf8))], substitution)
            let graph = Graph(
                config.plan, replacing: other, generation: { 1 }, host: Host(), records: SinkRecords(Cell([])),
                printLine: { $1.end(.written) },
                makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
            return (graph, Weak(lease: config.secrets.lease))
        }
        let flag = folder.path + "/flag"
        let work = "echo >\(flag); while [ -e \(flag) ]; do sleep 0.05; done"
        let made = Cell<Graph?>(nil)
        let lease = try { () throws -> Weak in
            let (graph, lease) = try graph(
                "command: { run: [sh, -c, '\(work)'], environment: { T: '${credential:token}' } }", "1h")
            made.update { $0 = graph }
            return lease
        }()
        var first = made.value
        made.update { $0 = nil }
        first?.start { _ in }
        try await eventually("the command runs") { FileManager.default.fileExists(atPath: flag) }
        var second: Graph? = try graph("stdout", "2h", replacing: first).graph
        if let first { second?.replace(first, drain: .seconds(30)) {} }
        first = nil
        var third: Graph? = try graph("journal: x", "2h", replacing: second).graph
        if let second { third?.replace(second, drain: .seconds(30)) {} }
        second = nil
        #expect(lease.lease != nil)
        try FileManager.default.removeItem(atPath: flag)
        try await eventually("the lease is released") { lease.lease == nil }
        third?.dispose()
        third = nil
    }

    private struct Weak {
        weak var lease: Secrets.Lease?
    }

    @Test func credentialIsRemovedFromRecords() {
        var secrets = Secrets()
        secrets.insert(Self.secret, named: "token")
        let record = Record(
            .error, .err, generation: 3, "cannot reach \(Self.secret)", [.error: Self.secret, .pipeline: "p"],
            ownFields: [("SEEN", "of \(Self.secret)")]
        ).hiding(secrets)
        #expect(record.message == "cannot reach ${credential:token}" && record[.error] == "${credential:token}")
        #expect(record[.pipeline] == "p" && record.generation == 3 && record.priority == .err)
        #expect(record.ownFields.map(\.value) == ["of ${credential:token}"])
    }

    /// A server may echo what it was sent.
    @Test func noEventOfSourceShowsCredential() throws {
        struct Echo: SourceKind {
            var summary: String { "echo \(CredentialTests.secret)" }
            func events(in context: SourceContext) -> Observable<JSON> {
                .of(["error": ["message": "no route to https://\(CredentialTests.secret)@x/"]])
                    .concat(.error(StepError(step: "", location: start, event: nil, message: CredentialTests.secret)))
            }
        }
        var secrets = Secrets()
        secrets.insert(Self.secret, named: "token")
        var plan = Plan()
        plan.sources = [Plan.Source(name: "a", kindName: "echo", kind: Echo(), content: "")]
        let kind = try #require(plan.hiding(secrets).sources.first?.kind)
        #expect(kind.summary == "echo ${credential:token}" && !kind.armsLater)
        let output = Cell<[String]>([])
        let context = SourceContext(scheduler: TestScheduler(initialClock: 0), host: .inline(), armed: {})
        _ = kind.events(in: context).subscribe(
            onNext: { output.append("\($0)") }, onError: { output.append("\($0)") })
        #expect(output.value.first == #"{"error":{"message":"no route to https://${credential:token}@x/"}}"#)
        #expect(output.value.last?.hasSuffix("failed: ${credential:token}") == true)
    }

    /// Neither the events nor the errors of a source that an event starts show the credential.
    @Test(arguments: [
        #"flatMap: { http: { url: '{{"ftp"}}://${credential:token}/' } }"#,
        #"concatMap: { command: { run: [a], every: '{{.tick}} ${credential:token}' } }"#,
        #"flatMapLatest: { files: '{{.tick}}/${credential:token}' }"#,
        #"flatMapFirst: { unit: "{{.tick}}${credential:token}" }"#,
    ])
    func invalidInnerSourceDoesNotShowCredential(step: String) throws {
        let pipeline =
            "{ from: a, steps: [\(step)], to: [stdout] }, q: { from: a, steps: [\(step), materialize], to: [stdout] }"
        let config = try load("sources: { a: { interval: 1s } }\npipelines: { p: \(pipeline) }")
        let rig = Rig(config.plan)
        let found = errors { rig.run(until: 1) }
        let record = try #require(found.first as? PipelineError).record(generation: 1)
        let output = [record.message, record[.error] ?? ""] + rig.lines.value
        #expect(output.count == 3 && output.allSatisfy { !$0.contains("hunter2") }, "\(output)")
        #expect(output.allSatisfy { $0.contains("credential") }, "\(output)")
        rig.drop()
    }

    @Test func noEventOfInnerSourceShowsCredential() async throws {
        let steps = #"flatMap: { command: { run: [echo, "{{.tick}} is ${credential:token}"] } }"#
        let config = try load(
            "sources: { a: { interval: { every: 1h, delay: 0s } } }\n"
                + "pipelines: { p: { from: a, steps: [\(steps), map: .stdout], to: [stdout] } }")
        let lines = Cell<[String]>([])
        let graph = Graph(
            config.plan, generation: { 1 }, host: .inline(), records: SinkRecords(Cell([])),
            printLine: { line, receipt in
                lines.append(line)
                receipt.end(.written)
            },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        graph.start { _ in }
        try await eventually("the line is printed") { !lines.value.isEmpty }
        #expect(lines.value == [#""0 is ${credential:token}\n""#])
        graph.dispose()
    }

    /// A user who checks a configuration cannot read its credentials, which is not an error in the configuration.
    @Test func checkAcceptsMissingCredentials() throws {
        func check(_ text: String) throws -> LoadedConfig {
            try LoadedConfig([("t.yaml", Array(text.utf8))], Substitution(isCheck: true))
        }
        let config = try check(config(#"http: { url: "${credential:hook}", every: 1s }"#))
        #expect(config.secrets.unknown == ["${credential:hook}"])
        #expect(throws: Diagnostics.self) { try check(self.config(#"http: { url: "${credential:hook}", evry: 1s }"#)) }
    }
}
