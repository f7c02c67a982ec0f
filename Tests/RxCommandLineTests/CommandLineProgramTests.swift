import Testing

@testable import RxCommandLine

struct CommandLineProgramTests {
    private static let json = CommandLineOption.flag("json", "print JSON")
    private static let limit = CommandLineOption.value("limit", "COUNT", short: "n", default: "10", "print so many")
    private static let frame = CommandLineOption.value("frame", "DURATION", "use this frame")

    private static let program = CommandLineProgram(
        "tool", version: "1.2",
        [
            Subcommand("check", "check a file", [.optional("PATH", default: "/etc/tool", "the file")], [json]) { _ in 0
            },
            Subcommand("tap", "print the events of a node", [.required("NODE", "the node")], [json, limit]) {
                arguments in
                arguments.operands == ["none"] ? 3 : 0
            },
            Subcommand(
                "try", "run steps", [.required("FROM", "the source"), .repeated("STEP", "a step")], [frame]
            ) { arguments throws(UsageError) in
                guard arguments[frame] != "0s" else { throw UsageError("0s is not a frame") }
                return 0
            },
        ],
        notes: "See tool(1).")

    /// Describes the meaning of a command line.
    private static func meaning(_ line: String) throws -> String {
        switch try program.parse(line.split(separator: " ").map(String.init)) {
        case .help(let subcommand): return "help \(subcommand?.name ?? "")"
        case .version: return "version"
        case .run(let subcommand, let arguments):
            let options = subcommand.options.map { "\($0.name)=\(arguments.contains($0)):\(arguments[$0])" }
            let operands = subcommand.operands.map { arguments[$0] }
            return ([subcommand.name] + options + operands + ["(\(arguments.operands.count))"]).joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("check", "check --json=false: /etc/tool (0)"),
        ("check a", "check --json=false: a (1)"),
        ("check --json a", "check --json=true: a (1)"),
        ("check a --json", "check --json=true: a (1)"),
        ("--json check a", "check --json=true: a (1)"),
        ("check --json --json", "check --json=true: /etc/tool (0)"),
        ("check -- --json", "check --json=false: --json (1)"),
        ("-- check --json", "check --json=false: --json (1)"),
        ("check -", "check --json=false: - (1)"),
        ("tap n", "tap --json=false: --limit=false:10 n (1)"),
        ("tap n --limit 5", "tap --json=false: --limit=true:5 n (1)"),
        ("tap -n 5 n", "tap --json=false: --limit=true:5 n (1)"),
        ("tap --limit=5 n", "tap --json=false: --limit=true:5 n (1)"),
        ("tap --limit= n", "tap --json=false: --limit=true: n (1)"),
        ("tap --limit=a=b n", "tap --json=false: --limit=true:a=b n (1)"),
        ("tap --limit=--json n", "tap --json=false: --limit=true:--json n (1)"),
        ("tap --limit -5 n", "tap --json=false: --limit=true:-5 n (1)"),
        ("tap --limit 5 n --limit 6", "tap --json=false: --limit=true:6 n (1)"),
        ("--limit 5 tap n", "tap --json=false: --limit=true:5 n (1)"),
        ("try s", "try --frame=false: s  (1)"),
        ("try s a b", "try --frame=false: s a (3)"),
        ("--help", "help "),
        ("-h", "help "),
        ("check --help", "help check"),
        ("--help check", "help check"),
        ("tap --help", "help tap"),
        ("--version", "version"),
        ("check --version", "version"),
    ])
    func validCommandLines(line: String, meaning: String) throws {
        #expect(try Self.meaning(line) == meaning)
    }

    @Test(arguments: [
        ("", "a command is needed; see tool --help"),
        ("--json", "a command is needed; see tool --help"),
        ("chekc", "unknown command 'chekc'; did you mean check?"),
        ("chekc --what", "unknown command 'chekc'; did you mean check?"),
        ("what", "unknown command 'what'; see tool --help"),
        ("check --jsn", "unknown option '--jsn'; did you mean --json?"),
        ("check --jsn=1", "unknown option '--jsn'; did you mean --json?"),
        ("check -json", "unknown option '-json'; did you mean --json?"),
        ("check -x", "unknown option '-x'; see tool check --help"),
        ("--jsn check", "unknown option '--jsn'; did you mean --json?"),
        // An option of another subcommand.
        ("check --limit 5", "unknown option '--limit'; see tool check --help"),
        ("--limit 5 check", "unknown option '--limit'; see tool check --help"),
        ("check --json=yes", "option '--json' takes no value; see tool check --help"),
        ("check a b", "unexpected argument 'b'; see tool check --help"),
        ("tap", "NODE is missing; see tool tap --help"),
        ("try", "FROM is missing; see tool try --help"),
        ("tap n --limit", "option '--limit' needs a COUNT; see tool tap --help"),
        (
            "tap n --limit --json",
            "option '--limit' needs a COUNT, and '--json' follows; write --limit=--json if that is the COUNT"
        ),
        ("tap n -n", "option '-n' needs a COUNT; see tool tap --help"),
    ])
    func invalidCommandLines(line: String, message: String) {
        let error = #expect(throws: UsageError.self) { try Self.meaning(line) }
        #expect(error.map { Self.program.message(for: $0) } == "tool: \(message)")
    }

    @Test(arguments: [
        ("tap n", 0, "", ""),
        ("tap none", 3, "", ""),
        ("--version", 0, "tool 1.2", ""),
        ("tap", 64, "", "tool: NODE is missing; see tool tap --help"),
        ("try s --frame 0s", 64, "", "tool: 0s is not a frame; see tool try --help"),
    ])
    func exitCodes(line: String, code: Int32, output: String, errors: String) {
        var (printed, complained) = ("", "")
        let result = Self.program.run(
            line.split(separator: " ").map(String.init), usageError: 64, output: { printed += $0 },
            errors: { complained += $0 })
        #expect(result == code && printed == output && complained == errors)
    }

    @Test func optionBeforeSubcommandMayBelongToSeveral() throws {
        let (one, other) = (CommandLineOption.flag("json", "one"), CommandLineOption.flag("json", "other"))
        let program = CommandLineProgram(
            "tool", version: "1",
            [Subcommand("a", "do a", [], [one]) { _ in 0 }, Subcommand("b", "do b", [], [other]) { _ in 0 }],
            notes: "")
        guard case .run(let subcommand, let arguments) = try program.parse(["--json", "b"]) else {
            Issue.record("it does not run")
            return
        }
        #expect(subcommand.name == "b" && arguments.contains(other))
    }

    @Test func exclusiveOptionsAreOneInTheUsage() throws {
        let options = ["json", "junit", "strict"].map { CommandLineOption.flag($0, "print it") }
        let program = CommandLineProgram(
            "tool", version: "1", options: options, exclusive: [Array(options[..<2])], notes: "", run: { _ in 0 })
        #expect(program.help().hasPrefix("usage: tool [--json | --junit] [--strict]\n"))
        for arguments in [["--json", "--strict"], ["--junit", "--junit"]] { _ = try program.parse(arguments) }
        let error = #expect(throws: UsageError.self) { try program.parse(["--junit", "--strict", "--json"]) }
        #expect(error?.problem == "--json and --junit exclude each other")
    }

    @Test func helpOfProgram() {
        #expect(
            Self.program.help() == """
                usage: tool check [--json] [PATH]
                       tool tap [--json] [--limit COUNT] NODE
                       tool try [--frame DURATION] FROM [STEP]...

                commands:
                  check  check a file
                  tap    print the events of a node
                  try    run steps

                options:
                  --json             print JSON
                  --limit COUNT, -n  print so many; default: 10
                  --frame DURATION   use this frame
                  --version          print the version and exit
                  --help, -h         print this help and exit

                See tool(1).
                """)
    }

    @Test func helpOfSubcommand() {
        #expect(
            Self.program.help(of: Self.program.subcommands[0]) == """
                usage: tool check [--json] [PATH]

                Check a file.

                operands:
                  PATH  the file; default: /etc/tool

                options:
                  --json      print JSON
                  --version   print the version and exit
                  --help, -h  print this help and exit

                See tool(1).
                """)
    }

    @Test func helpIsWrapped() {
        let long = Array(repeating: "words", count: 20).joined(separator: " ")
        let program = CommandLineProgram(
            "tool", version: "1", options: (1...5).map { .value("option-\($0)", "VALUE", long) }, notes: long,
            run: { _ in 0 })
        let lines = program.help().split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 80 && $0.last != " " })
        #expect(
            lines[..<3] == [
                "usage: tool [--option-1 VALUE] [--option-2 VALUE] [--option-3 VALUE]",
                "            [--option-4 VALUE] [--option-5 VALUE]", "",
            ])
        #expect(lines[4] == "  --option-1 VALUE  words words words words words words words words words words")
        #expect(lines[5] == "                    words words words words words words words words words words")
    }
}
