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
        let homes = "in rxwatchd.service; /usr/share/rxwatchd/drop-ins/watch-homes.conf makes it readable"
        #expect(answer.exitCode == 0)
        #expect(
            located(answer, "warnings") == [
                "2:42 source logs: /home/a/app: ProtectHome=yes hides it \(homes)",
                "3:28 source disk: /root/bin/df: ProtectHome=yes hides it \(homes)",
                "3:67 source disk: /tmp: with PrivateTmp=yes, the service has a /tmp of its own in rxwatchd.service; "
                    + "a drop-in with PrivateTmp=no allows it, or use another directory",
                "4:35 source remote: /home/journal: ProtectHome=yes hides it \(homes)",
                "9:15 pipeline p: /etc/out.jsonl: ProtectSystem=strict makes it read-only in rxwatchd.service; "
                    + "a drop-in with ReadWritePaths= and its directory allows it",
                "11:49 pipeline p: /home/b: ProtectHome=yes hides it \(homes)",
            ])
        let lines = answer.message.split(separator: "\n")
        #expect(lines[0] == "\(path): valid: 3 sources, 2 pipelines")
        #expect(lines.count { $0.hasPrefix("\(path):") && $0.contains(": warning: ") } == 6)
        let warning = "\(path):2:42: warning: source logs: /home/a/app: ProtectHome=yes hides it in "
        let index = try #require(lines.firstIndex { $0.hasPrefix(warning) })
        #expect(
            lines[(index + 1)...(index + 2)] == [
                "  logs: { files: { paths: [/var/log/app, /home/a/app] } }",
                "                                         ^",
            ])
    }

    /// Files that the service's user cannot read, and the group that can.
    @Test func permissionsOfFilesAreChecked() throws {
        let folder = TemporaryDirectory()
        // Root's group is none that a service is given.
        let number = getuid() == 0 ? 1 : getgid()
        let group = try #require(getgrgid(number).map { String(cString: $0.pointee.gr_name) })
        let owner = try #require(getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) })
        for name in ["log", "out", "closed/log", "open"] {
            try FileManager.default.createDirectory(
                atPath: URL(fileURLWithPath: folder(name)).deletingLastPathComponent().path,
                withIntermediateDirectories: true)
            folder.write(name, "")
        }
        for (name, mode) in [("", 0o755), ("log", 0o640), ("out", 0o644), ("closed", 0o700), ("open", 0o604)] {
            #expect(chown(folder(name), getuid(), number) == 0 && chmod(folder(name), mode_t(mode)) == 0)
        }
        symlink(folder("log"), folder("link"))
        folder.write(
            "c.yaml",
            """
            sources: { s: { files: { paths: [FOLDER/log, FOLDER/link, FOLDER/closed/log, FOLDER/open, FOLDER/none] } } }
            pipelines: { p: { from: s, to: [file: FOLDER/out, file: FOLDER/new] } }

            """.replacing("FOLDER", with: folder.path))
        func warnings(_ user: ServiceUser) -> [String] {
            var sandbox = ServiceSandbox()
            sandbox.user = user
            return messages(ConfigCheck.answer(folder("c.yaml")) { sandbox }, "warnings")
                .map { $0.replacing(folder.path, with: "FOLDER") }
        }
        let (end, mode) = ("in rxwatchd.service; ", "and belongs to \(owner):\(group)")
        let read = "the service's user is not allowed to read FOLDER/log, which has mode 0640 \(mode) \(end)"
        let add = "a drop-in with SupplementaryGroups=\(group) allows it"
        let others = [
            "source s: FOLDER/closed/log: the service's user is not allowed to search FOLDER/closed, which has mode 0700 "
                + "\(mode) \(end)change its group or mode, or see /usr/share/rxwatchd/drop-ins/README",
            "pipeline p: FOLDER/out: the service's user is not allowed to write FOLDER/out, which has mode 0644 \(mode) "
                + "\(end)change its group or mode, or see /usr/share/rxwatchd/drop-ins/README",
            "pipeline p: FOLDER/new: the service's user is not allowed to write in FOLDER, which has mode 0755 \(mode) "
                + "\(end)change its group or mode, or see /usr/share/rxwatchd/drop-ins/README",
        ]
        #expect(
            warnings(ServiceUser(id: nil))
                == ["source s: FOLDER/log: \(read)\(add)", "source s: FOLDER/link: \(read)\(add)"] + others)
        let member = warnings(ServiceUser(id: 61_234, groups: [number]))
        #expect(member.filter { !$0.contains("/open") } == others)
        // The members of the group may do less than others with that file.
        #expect(member.count == others.count + 1)
        #expect(warnings(ServiceUser(id: getuid())) == [])
        #expect(warnings(ServiceUser(id: nil, readsAll: true)).count == 2)
        #expect(warnings(ServiceUser(id: nil, readsAll: true, writesAll: true)) == [])
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
        let path = "\(folder.path)/c.yaml"
        let answer = ConfigCheck.answer(path, substitution) { nil }
        let warning = "the credential 'pin' has fewer than 4 bytes, so records and output show it: use a longer one"
        #expect(answer.exitCode == 0, "\(answer.message)")
        #expect(located(answer, "warnings") == ["1:41 \(warning)"])
        #expect(
            answer.message.split(separator: "\n").dropFirst().first == "\(path):1:41: warning: \(warning)",
            "\(answer.message)")
        let unchecked =
            "not checked: credentials against the unit of rxwatchd.service: systemd does not answer here, or has no such unit"
        #expect(answer.message.hasSuffix("\n\(unchecked)"), "\(answer.message)")
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
        func warnings(limit: Int?) -> [String] {
            located(ConfigCheck.answer("\(folder.path)/c.yaml", watchLimit: limit) { ServiceSandbox() }, "warnings")
        }
        // The directory, three below it, and the file; two sources that watch the same directory share its watch.
        #expect(warnings(limit: 5) == [] && warnings(limit: nil) == [])
        #expect(
            warnings(limit: 4) == [
                "2:3 the sources need more than the 4 inotify watches that this host allows a user, most of them source "
                    + "tree, and what has none is polled: raise fs.inotify.max_user_watches with sysctl, or exclude "
                    + "directories"
            ])
    }

    @Test func noWarningWithoutServiceManager() throws {
        let folder = try Folder(["c.yaml": Self.config])
        let answer = ConfigCheck.answer("\(folder.path)/c.yaml") { nil }
        #expect(answer.exitCode == 0 && answer.details["warnings"]?.array?.isEmpty == true)
        #expect(!answer.message.contains("warning"))
        #expect(answer.message.contains("\nnot checked: paths against the sandbox of rxwatchd.service: "))
    }

    /// A program, a directory, a certificate or a socket without which every event fails, also the directory of a file.
    @Test func missingPathIsNotice() throws {
        let folder = try Folder(["here": "", "c.yaml": ""])
        #expect(chmod("\(folder.path)/here", 0o755) == 0)
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
        let directory = 61 + folder.path.utf8.count
        let notices = [
            ("2:25", "source s: /nonexistent/df does not exist"),
            ("3:53", "source r: /nonexistent/socket does not exist"),
            ("5:\(directory)", "pipeline p: /nonexistent/d does not exist"),
            ("6:52", "pipeline q: /nonexistent/ca does not exist"),
            ("6:79", "pipeline q: the directory of /nonexistent/out does not exist; create /nonexistent"),
        ]
        #expect(answer.exitCode == 0 && located(answer, "notices") == notices.map { "\($0) \($1)" })
        #expect(
            answer.message.split(separator: "\n").filter { $0.hasPrefix(path) }.dropFirst().map(String.init)
                == notices.map { "\(path):\($0): notice: \($1)" })
        let strict = ConfigCheck.answer(path, isStrict: true) { ServiceSandbox() }
        #expect(strict.exitCode == 78 && strict.message.hasPrefix("\(path): has notices: "))
    }

    /// What `--strict` refuses is named, and printed from top to bottom, whatever has found it.
    @Test func warningsAndNoticesAreInOrder() throws {
        let folder = try Folder([
            "c.yaml": """
            sources:
              idle: { interval: 1 }
              tick: { interval: 1s }
              home: { files: /home/a/b }
            pipelines:
              p: { from: home, steps: [filter: .knid], to: [stdout, command: { run: [/nonexistent/x] }] }
              q: { from: tick, steps: [delay: 2], to: [file: /home/x] }

            """
        ])
        let path = "\(folder.path)/c.yaml"
        for (isStrict, verdict) in [(false, "valid"), (true, "has warnings and notices")] {
            let answer = ConfigCheck.answer(path, isStrict: isStrict) { Self.sandbox() }
            let lines = answer.message.split(separator: "\n").filter { $0.hasPrefix(path) }
            #expect(lines.first?.hasPrefix("\(path): \(verdict): ") == true)
            let places = lines.dropFirst().map { $0.dropFirst(path.count + 1).split(separator: ": ").prefix(2) }
            #expect(
                places.map { $0.joined(separator: " ") } == [
                    "2:3 notice", "2:21 notice", "4:18 warning", "4:18 notice", "6:37 warning", "6:74 notice",
                    "7:35 notice", "7:50 warning",
                ], "\(answer.message)")
        }
    }

    /// What nobody can run, and a command line in place of a program.
    @Test(
        arguments: [
            ("FOLDER/script", "FOLDER/script is not executable: chmod +x FOLDER/script"),
            ("FOLDER/binary", "FOLDER/binary is not executable: chmod +x FOLDER/binary"),
            (
                "FOLDER/data",
                "FOLDER/data is no program: it is not executable, and neither a script that begins with #! nor an ELF "
                    + "binary; write the path of a program"
            ),
            (
                "/dev/null",
                "/dev/null is no program: it is not executable, and neither a script that begins with #! nor an ELF "
                    + "binary; write the path of a program"
            ),
            ("FOLDER", "FOLDER is a directory, not a program; write the path of a program"),
            ("FOLDER/program", nil), ("FOLDER/my program", nil), ("FOLDER/my {{.x}}", "COMMAND[FOLDER/my, \"{{.x}}\"]"),
            ("/x/reload.sh {{ .path }} -v", "COMMAND[/x/reload.sh, \"{{ .path }}\", -v]"),
            ("/x/reload.sh a:b && true", #"COMMAND[sh, -c, "/x/reload.sh a:b && true"]"#),
            (
                "/x/reload.sh {{.path}} | wc",
                "COMMAND[sh, -c, COMMAND, sh, \"{{.path}}\"], where COMMAND has \"$1\" for the first value"
            ),
            ("/x dir/{{.x}}", "COMMAND[/x, \"dir/{{.x}}\"]"), ("FOLDER/a dir/{{.x}}", nil), ("/x/{{.a}} {{.b}}", nil),
        ] as [(String, String?)])
    func programThatCannotRunIsNotice(program: String, notice: String?) throws {
        let folder = TemporaryDirectory()
        for (name, mode, text) in [
            ("script", 0o644, "#!/bin/sh\n"), ("binary", 0o644, "\u{7F}ELF\u{2}"), ("data", 0o644, "root:x:0:0\n"),
            ("program", 0o755, ""), ("my program", 0o755, ""),
        ] {
            folder.write(name, text)
            #expect(chmod(folder(name), mode_t(mode)) == 0)
        }
        try FileManager.default.createDirectory(atPath: folder("a dir"), withIntermediateDirectories: true)
        let run = program.replacing("FOLDER", with: folder.path)
        // A source in a step, and a sink.
        folder.write(
            "c.yaml",
            """
            sources: { s: { interval: 1s } }
            pipelines:
              p: { from: s, steps: [flatMap: { command: { run: ['\(run)'] } }], to: [command: { run: ['\(run)'] }] }

            """)
        let answer = ConfigCheck.answer(folder("c.yaml")) { ServiceSandbox() }
        let command = "\(program) does not exist: the first element is the name of the program, with its spaces; write "
        let expected = notice.map { text in
            let text = text.hasPrefix("COMMAND[") ? command + text.dropFirst("COMMAND".count) : text
            return "pipeline p: \(text.replacing("FOLDER", with: folder.path))"
        }
        #expect(answer.exitCode == 0, "\(answer.message)")
        #expect(messages(answer, "notices") == [expected, expected].compactMap(\.self))
    }

    /// The notice says how to make it executable, and a warning that the service's user may not run it says no more.
    @Test func programThatNobodyCanRunIsOneNotice() throws {
        let folder = TemporaryDirectory()
        folder.write("script", "")
        #expect(chmod(folder.path, 0o755) == 0 && chmod(folder("script"), 0o644) == 0)
        folder.write(
            "c.yaml",
            """
            sources: { s: { interval: 1s } }
            pipelines: { p: { from: s, to: [command: { run: [\(folder.path)/script] }] } }

            """)
        var sandbox = ServiceSandbox()
        sandbox.user = ServiceUser(id: nil)
        let answer = ConfigCheck.answer(folder("c.yaml")) { sandbox }
        #expect(messages(answer, "warnings").filter { $0.contains("to run") } == [])
        #expect(messages(answer, "notices").count == 1)
        #expect(chmod(folder("script"), 0o700) == 0)
        let closed = ConfigCheck.answer(folder("c.yaml")) { sandbox }
        #expect(messages(closed, "warnings").filter { $0.contains("to run") }.count == 1)
        #expect(messages(closed, "notices") == [])
    }

    /// A number alone is so many seconds, in any duration.
    @Test(arguments: [
        ("files: { paths: [/], settle: 500 }", ["'500' has no unit and is 8min 20s; write 500s or 500ms"]),
        ("interval: 1", ["'1' has no unit and is 1s; write 1s or 1ms"]),
        ("interval: { every: 0.5 }", ["'0.5' has no unit and is 500ms; write 0.5s or 0.5ms"]),
        ("interval: '${EVERY}'", ["'250' has no unit and is 4min 10s; write 250s or 250ms"]),
        ("files: { paths: [/], settle: 0 }", []), ("files: { paths: [/], settle: 0s }", []), ("interval: 1min 30s", []),
    ])
    func durationWithoutUnitIsNotice(source: String, notices: [String]) throws {
        let folder = try Folder([
            "c.yaml": "sources: { s: { \(source) } }\npipelines: { p: { from: s, to: [stdout] } }\n"
        ])
        let substitution = Substitution(environment: ["EVERY": "250"], isCheck: true)
        let answer = ConfigCheck.answer("\(folder.path)/c.yaml", substitution) { ServiceSandbox() }
        #expect(answer.exitCode == 0, "\(answer.message)")
        #expect(messages(answer, "notices") == notices && messages(answer, "warnings") == [])
    }

    /// The daemon records warnings when it starts, but not the notices of a check.
    @Test func durationWithoutUnitInSourceOfStepIsNotice() throws {
        let text = """
            sources: { s: { interval: 1s } }
            pipelines:
              p: { from: s, steps: [delay: 2, flatMap: { interval: 5, retry: { backoff: 1..1min } }], to: [stdout] }
            """
        let config = try LoadedConfig([("t.yaml", Array(text.utf8))], Substitution())
        #expect(
            Set(config.notices.map { "\($0.location.column) \($0.message)" }) == [
                "32 '2' has no unit and is 2s; write 2s or 2ms", "56 '5' has no unit and is 5s; write 5s or 5ms",
                "77 '1' has no unit and is 1s; write 1s or 1ms",
            ])
        #expect(config.warnings.list.isEmpty)
    }

    /// A pattern in place of a path.
    @Test(arguments: [
        ("/nonexistent/*.pem", #"paths: [/nonexistent], include: ["*.pem"]"#),
        ("/none/x?/a.pem", #"paths: [/none], recursive: true, include: ["x?/a.pem"]"#),
        ("/[x]", #"paths: [/], include: ["[x]"]"#), ("/none/a b/*", #"paths: ["/none/a b"], include: ["*"]"#),
    ])
    func patternInPathIsNotice(path: String, advice: String) throws {
        let folder = try Folder([
            "c.yaml": "sources: { s: { files: '\(path)' } }\npipelines: { p: { from: s, to: [stdout] } }\n"
        ])
        let answer = ConfigCheck.answer("\(folder.path)/c.yaml") { ServiceSandbox() }
        #expect(
            located(answer, "notices") == [
                "1:24 source s: \(path) does not exist, and patterns are not expanded in paths; write \(advice)"
            ])
    }

    /// A file may have such a name.
    @Test func existingPathWithPatternIsNoNotice() throws {
        let folder = try Folder(["[a]": "", "c.yaml": ""])
        let text = "sources: { s: { files: '\(folder.path)/[a]' } }\npipelines: { p: { from: s, to: [stdout] } }\n"
        try text.write(toFile: "\(folder.path)/c.yaml", atomically: true, encoding: .utf8)
        #expect(located(ConfigCheck.answer("\(folder.path)/c.yaml") { ServiceSandbox() }, "notices") == [])
    }

    @Test(arguments: [(1, "1 test"), (2, "2 tests")])
    func testsAreCounted(count: Int, text: String) throws {
        let tests = (0..<count).map { "  t\($0): { inputs: { p: a }, values: { a: 1 }, expect: { p: a } }\n" }.joined()
        let folder = try Folder([
            "c.yaml": "sources: { s: { interval: 1s } }\npipelines: { p: { from: s, to: [stdout] } }\ntests:\n\(tests)"
        ])
        let path = "\(folder.path)/c.yaml"
        let answer = ConfigCheck.answer(path) { ServiceSandbox() }
        #expect(
            answer.message == "\(path): valid: 1 source, 1 pipeline, \(text) (not run: rxwatchctl test runs them)")
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

    /// What nothing takes events from is a notice, and an error on request.
    @Test func idleNodesAreNotices() throws {
        let folder = try Folder([
            "c.yaml": """
            sources: { a: { interval: 1s }, b: { interval: 1s } }
            pipelines: { p: { from: a, to: [stdout] }, q: { from: b }, r: { from: a } }
            """
        ])
        let path = "\(folder.path)/c.yaml"
        let answer = ConfigCheck.answer(path) { ServiceSandbox() }
        let reason = "nothing that runs takes its events"
        #expect(
            located(answer, "notices") == [
                "1:33 source b does not run: \(reason)", "2:44 pipeline q does not run: it has no sink, and \(reason)",
                "2:60 pipeline r does not run: it has no sink, and \(reason)",
            ])
        #expect(answer.exitCode == ExitCode.success)
        #expect(ConfigCheck.answer(path, isStrict: true) { ServiceSandbox() }.exitCode == ExitCode.badConfig)
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
        #expect(
            Self.sandbox().restrictions(to: config.usedPaths, of: "s.service").map(\.message) == [
                "pipeline p: /home/x: ProtectHome=yes hides it in s.service; a drop-in with ProtectHome=no allows it, or use "
                    + "another directory"
            ])
    }

    /// What the unit passes, and what it does not, each at its first reference.
    @Test func credentialThatUnitDoesNotPassIsWarning() throws {
        let folder = try Folder([
            "here": "hunter2",
            "c.yaml": """
            sources:
              a: { http: { url: "http://a/", every: 1s, headers: { A: "${credential:token} ${credential:api-token}" } } }
              b: { http: { url: "http://a/${credential:set}/${credential:import.x}", every: 1s } }
              c: { http: { url: "http://a/", every: 1s, bearerFile: /run/credentials/rxwatchd.service/tokens } }
            pipelines:
              p: { merge: [a, b, c], to: [http: { url: "http://b/${credential:token}/${credential:gone}" }] }
            """,
        ])
        let path = "\(folder.path)/c.yaml"
        var credentials = ServiceCredentials()
        credentials.loaded = [
            ServiceCredentials.LoadedCredential("tokens", from: "\(folder.path)/here"),
            ServiceCredentials.LoadedCredential("gone", from: "/nonexistent/gone"),
        ]
        (credentials.set, credentials.imported) = (["set"], ["import.*"])
        var sandbox = ServiceSandbox()
        sandbox.credentials = credentials
        let answer = ConfigCheck.answer(path, Substitution(isCheck: true)) { sandbox }
        let dropIn = "/usr/share/rxwatchd/drop-ins/credential.conf"
        let missing =
            "rxwatchd.service reads the credential 'gone' from /nonexistent/gone, which does not exist: create it, or "
            + "change LoadCredential= with a drop-in"
        #expect(
            located(answer, "warnings") == [
                "2:60 rxwatchd.service does not pass the credential 'token'; did you mean 'tokens'? If not, a drop-in like "
                    + "\(dropIn) with LoadCredential=token:/etc/credstore/rxwatchd.token passes it",
                "2:80 rxwatchd.service does not pass the credential 'api-token'; \(dropIn) passes it",
                "6:74 \(missing)",
            ])
        #expect(answer.exitCode == 0 && answer.message.contains("\(path):6:74: warning: \(missing)\n"))
        #expect(!answer.message.contains("not checked: which"))
    }

    /// Where to create a credential that a unit reads from a store, and which setting reads it.
    @Test(arguments: [
        (
            "gone", false,
            "gone, which is in no credential store: create /etc/credstore/gone, or change LoadCredential="
        ),
        (
            "lost", true,
            "lost, which is in no credential store: create /etc/credstore.encrypted/lost with systemd-creds encrypt "
                + "--name=x, or change LoadCredentialEncrypted="
        ),
        (
            "/nonexistent/x", true,
            "/nonexistent/x, which does not exist: create it with systemd-creds encrypt --name=x, or change "
                + "LoadCredentialEncrypted="
        ),
    ])
    func warningSaysWhereToCreateCredential(source: String, isEncrypted: Bool, rest: String) {
        var credentials = ServiceCredentials()
        credentials.loaded = [ServiceCredentials.LoadedCredential("x", from: source, isEncrypted: isEncrypted)]
        let location = SourceLocation(file: "t.yaml", line: 1, column: 1)
        let warnings = credentials.warnings(about: [("x", location)], of: "s.service", Substitution())
        #expect(
            warnings.map(\.message) == ["s.service reads the credential 'x' from \(rest) with a drop-in"])
    }

    /// The service reads its credentials before its sandbox hides their files.
    @Test func fileOfCredentialThatProcessHasMayBeHidden() throws {
        let folder = try Folder([
            "gone": "hunter2",
            "c.yaml": """
            sources: { s: { http: { url: "https://a/${credential:gone}", every: 1s } } }
            pipelines: { p: { from: s, to: [stdout] } }
            """,
        ])
        var sandbox = ServiceSandbox()
        sandbox.credentials = ServiceCredentials()
        sandbox.credentials?.loaded = [ServiceCredentials.LoadedCredential("gone", from: "/nonexistent/gone")]
        let substitution = Substitution(environment: ["CREDENTIALS_DIRECTORY": folder.path], isCheck: true)
        #expect(located(ConfigCheck.answer("\(folder.path)/c.yaml", substitution) { sandbox }, "warnings") == [])
        sandbox.credentials = ServiceCredentials()
        #expect(located(ConfigCheck.answer("\(folder.path)/c.yaml", substitution) { sandbox }, "warnings").count == 1)
    }

    /// The warnings or notices of an answer, each with its line and column.
    private func located(_ answer: ControlAnswer, _ member: String) -> [String] {
        (answer.details[member]?.array ?? []).map { found in
            #expect(found["file"]?.string?.hasSuffix("/c.yaml") == true)
            return "\(found["line"] ?? .null):\(found["column"] ?? .null) \(found["message"]?.string ?? "")"
        }
    }

    private func messages(_ answer: ControlAnswer, _ member: String) -> [String] {
        located(answer, member).map { String($0.drop { $0 != " " }.dropFirst()) }
    }

    private func check(_ config: String, _ warnings: [String]) throws {
        let folder = try Folder(["c.yaml": config])
        let answer = ConfigCheck.answer("\(folder.path)/c.yaml") { Self.sandbox() }
        #expect(answer.exitCode == 0, "\(answer.message)")
        #expect(
            messages(answer, "warnings").map { $0.split(separator: " in rxwatchd.service; ").first ?? "" }
                == warnings.map { "\($0): ProtectHome=yes hides it" })
    }
}
