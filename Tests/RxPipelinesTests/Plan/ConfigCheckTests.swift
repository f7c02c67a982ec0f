import Foundation
import RxControl
import RxDiagnostics
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

struct ConfigCheckTests {
    private static let config = """
        sources:
          logs: { files: { paths: [/var/log/app, /home/a/app] } }
          disk: { command: { run: [/root/bin/df], every: 1min, directory: /tmp } }
          remote: { journal: { directory: /home/journal } }
        pipelines:
          p:
            from: logs
            to:
              - file: /etc/out.jsonl
              - file: "/srv/{{.kind}}"
              - command: { run: [logger, x], directory: /home/b }
              - command: { run: ["{{.path}}"] }
          q: { merge: [disk, remote], to: [file: /var/lib/rxwatchd/out] }

        """

    private static func sandbox() -> ServiceSandbox {
        var sandbox = ServiceSandbox()
        (sandbox.protectHome, sandbox.protectSystem, sandbox.hasPrivateTmp) = ("yes", "strict", true)
        sandbox.readWrite = ["/var/lib/rxwatchd"]
        return sandbox
    }

    /// The configuration is valid nevertheless: what the unit denies it may be allowed before it is used.
    @Test func pathDeniedByUnitIsWarning() throws {
        let folder = try Folder(["c.yaml": Self.config])
        let path = "\(folder.path)/c.yaml"
        let answer = ConfigCheck.answer(path) { Self.sandbox() }
        #expect(answer.exitCode == 0)
        #expect(
            answer.details["warnings"]?.array?.compactMap(\.string) == [
                "source logs: /home/a/app: ProtectHome=yes hides it",
                "source disk: /root/bin/df: ProtectHome=yes hides it",
                "source disk: /tmp: with PrivateTmp=yes, the service has a /tmp of its own",
                "source remote: /home/journal: ProtectHome=yes hides it",
                "pipeline p: /etc/out.jsonl: ProtectSystem=strict makes it read-only",
                "pipeline p: /home/b: ProtectHome=yes hides it",
            ])
        let lines = answer.message.split(separator: "\n")
        #expect(lines[0] == "\(path): valid: 3 sources, 2 pipelines")
        #expect(lines.count { $0.hasPrefix("warning: ") } == 6)
        #expect(lines[1].hasPrefix("warning: source logs: /home/a/app: ProtectHome=yes hides it in rxwatchd.service; "))
    }

    /// A credential that is too short to be hidden, also without a service manager.
    @Test func shortCredentialIsWarning() throws {
        let folder = try Folder([
            "pin": "123\n", "token": "hunter2",
            "c.yaml": """
            sources: { s: { http: { url: "https://a/${credential:pin}/${credential:token}", every: 1s } } }
            pipelines: { p: { from: s, to: [http: { url: "https://b/${credential:pin}" }] } }
            """,
        ])
        let substitution = Substitution(environment: ["CREDENTIALS_DIRECTORY": folder.path], isCheck: true)
        let answer = ConfigCheck.answer("\(folder.path)/c.yaml", substitution) { nil }
        let warning = "the credential 'pin' has fewer than 4 bytes, so records and output show it: use a longer one"
        #expect(answer.exitCode == 0, "\(answer.message)")
        #expect(answer.details["warnings"] == [.string(warning)])
        #expect(answer.message.split(separator: "\n").dropFirst() == ["warning: \(warning)"])
    }

    /// Each with its place, the line and a caret, also for templates.
    @Test func expressionThatIsHardlyMeantIsWarning() throws {
        let folder = try Folder([
            "c.yaml": """
            sources: { tick: { interval: 1s } }
            pipelines:
              p:
                from: tick
                steps: [{ filter: .tick = 3 }]
                to: [journal: "{{$event.sorce}} ticks"]

            """
        ])
        let path = "\(folder.path)/c.yaml"
        let answer = ConfigCheck.answer(path) { ServiceSandbox() }
        let assignment = "'=' sets a value, and the result is true for every event; write '==' to compare"
        let member = "$event has no member 'sorce', so this is null; did you mean 'source'?"
        #expect(
            answer.message.split(separator: "\n").dropFirst() == [
                "\(path):5:29: warning: \(assignment)", "    steps: [{ filter: .tick = 3 }]",
                "                            ^", "\(path):6:29: warning: \(member)",
                "    to: [journal: \"{{$event.sorce}} ticks\"]", "                            ^",
            ])
        #expect(answer.exitCode == 0 && answer.details["warnings"]?.array?.count == 2)
        #expect(ConfigCheck.answer(path, isStrict: true) { ServiceSandbox() }.exitCode == ExitCode.badConfig)
    }

    @Test func tooFewInotifyWatchesAreWarning() throws {
        let folder = TemporaryDirectory()
        for directory in ["tree/a/b", "tree/c", "tree/left/out"] {
            try FileManager.default.createDirectory(atPath: folder(directory), withIntermediateDirectories: true)
        }
        folder.write(
            "c.yaml",
            """
            sources:
              tree: { files: { paths: ["\(folder.path)/tree"], recursive: true, exclude: [left] } }
              one: { files: "\(folder.path)/c.yaml" }
              again: { files: { paths: ["\(folder.path)/tree/a"], recursive: true } }
              polled: { files: { paths: ["\(folder.path)/tree"], recursive: true, poll: 1s } }
            pipelines: { p: { merge: [tree, one, again, polled], to: [stdout] } }

            """)
        func warnings(limit: Int?) -> [JSON]? {
            ConfigCheck.answer("\(folder.path)/c.yaml", watchLimit: limit) { ServiceSandbox() }
                .details["warnings"]?.array
        }
        // The directory, three below it, and the file; two sources that watch the same directory share its watch.
        #expect(warnings(limit: 5) == [] && warnings(limit: nil) == [])
        #expect(
            warnings(limit: 4) == [
                .string(
                    "the sources need more than the 4 inotify watches that this host allows a user, most of them source "
                        + "tree, and what has none is polled: raise fs.inotify.max_user_watches with sysctl, or exclude "
                        + "directories")
            ])
    }

    @Test func noWarningWithoutServiceManager() throws {
        let folder = try Folder(["c.yaml": Self.config])
        let answer = ConfigCheck.answer("\(folder.path)/c.yaml") { nil }
        #expect(answer.exitCode == 0 && answer.details["warnings"]?.array?.isEmpty == true)
        #expect(!answer.message.contains("warning"))
        #expect(answer.message.contains("\nnot checked: what the sandbox of rxwatchd.service hides; "))
    }

    /// A program, a directory, a certificate or a socket without which every event fails, also the directory of a file.
    @Test func missingPathIsNotice() throws {
        let folder = try Folder(["here": "", "c.yaml": ""])
        let config = """
            sources:
              s: { command: { run: [/nonexistent/df], every: 1min, directory: \(folder.path) } }
              r: { http: { url: "http://a/", every: 1s, socket: /nonexistent/socket } }
            pipelines:
              p: { from: s, to: [command: { run: [\(folder.path)/here, x], directory: /nonexistent/d }] }
              q: { from: r, to: [http: { url: "http://b/", ca: "/nonexistent/ca" }, file: /nonexistent/out, file: \(folder.path)/out] }

            """
        let path = "\(folder.path)/c.yaml"
        try config.write(toFile: path, atomically: true, encoding: .utf8)
        let answer = ConfigCheck.answer(path) { ServiceSandbox() }
        let notices = [
            "source s: /nonexistent/df does not exist", "source r: /nonexistent/socket does not exist",
            "pipeline p: /nonexistent/d does not exist", "pipeline q: /nonexistent/ca does not exist",
            "pipeline q: the directory of /nonexistent/out does not exist",
        ]
        #expect(answer.exitCode == 0 && answer.details["notices"]?.array?.compactMap(\.string) == notices)
        #expect(answer.message.split(separator: "\n").dropFirst().map(String.init) == notices)
        let strict = ConfigCheck.answer(path, isStrict: true) { ServiceSandbox() }
        #expect(strict.exitCode == 78 && strict.message.hasPrefix("\(path): has warnings: "))
    }

    /// Every kind names the paths that it uses; those of a template are unknown.
    @Test(arguments: [
        (
            "http: { url: 'http://a/', every: 1s, KEY: /home/x }", "source s: /home/x",
            ["ca", "certificate", "bearerFile", "socket"]
        ),
        ("http: { url: 'http://a/', every: 1s, user: u, passwordFile: /home/x }", "source s: /home/x", []),
        ("http: { url: 'http://a/', every: 1s, certificate: /c, key: /home/x }", "source s: /home/x", []),
        ("http: { url: 'http://a/', every: 1s, socket: '@/home/x' }", nil, []),
    ])
    func pathOfSourceIsChecked(source: String, warning: String?, keys: [String]) throws {
        for key in keys.isEmpty ? ["KEY"] : keys {
            let source = source.replacing("KEY", with: key)
            try check(
                "sources: { s: { \(source) } }\npipelines: { p: { from: s, to: [stdout] } }",
                [warning].compactMap(\.self))
        }
    }

    @Test(arguments: [
        (
            "to: [http: { url: 'http://a/', ca: /home/a, certificate: /home/b, bearerFile: /home/c, socket: /home/d }]",
            ["p: /home/a", "p: /home/b", "p: /home/c", "p: /home/d"]
        ),
        (
            "to: [stdout], onError: { to: [file: /home/x, http: { url: 'http://a/', ca: /home/y }] }",
            ["p/onError: /home/x", "p/onError: /home/y"]
        ),
        ("steps: [flatMap: { files: /home/x }], to: [stdout]", ["p: /home/x"]),
        (
            "steps: [concatMap: { files: { paths: [/home/x, '/home/{{.a}}'], events: created } }], to: [stdout]",
            ["p: /home/x"]
        ),
        ("steps: [flatMapLatest: { command: { run: [/home/x, '{{.a}}'] } }], to: [stdout]", ["p: /home/x"]),
        (
            "steps: [flatMapFirst: { http: { url: 'http://a/{{.a}}', bearerFile: /home/x } }], to: [stdout]",
            ["p: /home/x"]
        ),
        (
            "steps: [window: { count: 2, steps: [flatMap: { command: { run: [/home/x] } }] }], to: [stdout]",
            ["p: /home/x"]
        ),
        (
            "steps: [groupBy: { key: .a, steps: [flatMap: { journal: { directory: /home/x } }] }], to: [stdout]",
            ["p: /home/x"]
        ),
    ])
    func pathOfPipelineIsChecked(rest: String, warnings: [String]) throws {
        try check(
            "sources: { s: { interval: 1s } }\npipelines: { p: { from: s, \(rest) } }",
            warnings.map { "pipeline \($0)" })
    }

    @Test func pathWithCredentialIsNotNamed() throws {
        let folder = try Folder(["token": "hunter2-Z"])
        let text = """
            sources: { s: { files: '/home/${credential:token}' } }
            pipelines:
              p: { from: s, to: [http: { url: 'http://a/', ca: '/home/${credential:token}' }, file: /home/x] }
            """
        let config = try LoadedConfig(
            [("t.yaml", Array(text.utf8))], Substitution(environment: ["CREDENTIALS_DIRECTORY": folder.path]))
        #expect(config.plan.obstacles(in: Self.sandbox()) == ["pipeline p: /home/x: ProtectHome=yes hides it"])
    }

    private func check(_ config: String, _ warnings: [String]) throws {
        let folder = try Folder(["c.yaml": config])
        let answer = ConfigCheck.answer("\(folder.path)/c.yaml") { Self.sandbox() }
        #expect(answer.exitCode == 0, "\(answer.message)")
        #expect(
            answer.details["warnings"]?.array?.compactMap(\.string)
                == warnings.map { "\($0): ProtectHome=yes hides it" })
    }
}
