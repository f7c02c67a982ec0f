import Dispatch
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

@Suite(.balanced) struct CommandsTests {
    /// What becomes of a command.
    private func run(_ command: Command) async throws -> CommandResult {
        try await #require(Commands.run(command).asSingleValue())
    }

    private func shell(_ script: String, timeout: Duration? = .seconds(20)) -> Command {
        Command(["/bin/sh", "-c", script], timeout: timeout)
    }

    @Test(
        arguments: [
            ("exit 0", 0, nil), ("exit 3", 3, nil), ("kill -KILL $$", nil, SIGKILL), ("kill -TERM $$", nil, SIGTERM),
        ] as [(String, Int32?, Int32?)])
    func howItEnds(script: String, exit: Int32?, signal: Int32?) async throws {
        let result = try await run(shell(script))
        #expect(result.exit == exit && result.signal == signal && !result.isTimedOut)
        #expect(result.duration > .zero && result.duration < .seconds(20))
    }

    @Test func whatItWritesIsKeptApart() async throws {
        let result = try await run(shell("printf 'a\\0\\377'; echo problem >&2"))
        #expect(result.stdout == .init([0x61, 0, 0xFF]))
        #expect(result.stderr.text == "problem\n" && !result.stderr.isTruncated)
    }

    @Test func moreThanIsKeptIsReadAllTheSame() async throws {
        var command = shell("head -c 1000000 /dev/zero; echo abc >&2")
        command.outputLimit = 1000
        let result = try await run(command)
        #expect(result.exit == 0)
        #expect(result.stdout == .init([UInt8](repeating: 0, count: 1000), isTruncated: true))
        #expect(result.stderr.text == "abc\n")
        command.outputLimit = 4
        #expect(try await run(command).stderr == .init(Array("abc\n".utf8)))
        command.outputLimit = 0
        #expect(try await run(command).stderr == .init([], isTruncated: true))
    }

    @Test func whatItReadsIsItsOwn() async throws {
        var command = Command(["cat"])
        command.outputLimit = 1 << 24
        command.input = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        #expect(try await run(command).stdout.bytes == command.input)

        // Nobody reads it: nothing waits, and no SIGPIPE ends this process.
        command.run = [Array("true".utf8)]
        #expect(try await run(command).exit == 0)

        command.run = [Array("cat".utf8)]
        command.input = []
        #expect(try await run(command).stdout.bytes == [])
    }

    @Test func itHasTheEnvironmentAndTheDirectoryGiven() async throws {
        var command = Command(["/usr/bin/env"], environment: ["B": "2 ö", "A": "=\n"])
        #expect(try await run(command).stdout.text == "A==\n\nB=2 ö\n")
        command = Command(["/bin/pwd"], environment: [:], directory: "/usr/lib")
        #expect(try await run(command).stdout.text == "/usr/lib\n")
        #expect(try await run(Command(["/usr/bin/env"])).stdout.text.contains("PATH="))
    }

    @Test func argumentsAreAnyBytes() async throws {
        var command = Command(["/usr/bin/printf", "%s|%s", "$HOME `x` \n'\""])
        command.run.append([0xFF, 0xFE])
        #expect(try await run(command).stdout.bytes == Array("$HOME `x` \n'\"|".utf8) + [0xFF, 0xFE])
    }

    @Test(arguments: [
        (Command(["/nonexistent/program"]), "running it: No such file or directory"),
        (Command(["no-such-program-here"]), "running it: No such file or directory"),
        (Command(["/etc/passwd"]), "running it: Permission denied"),
        (Command(["/"]), "running it: Permission denied"),
        (Command(["true"], directory: "/nonexistent"), "entering '/nonexistent': No such file or directory"),
        (Command(["true"], directory: "/etc/passwd"), "entering '/etc/passwd': Not a directory"),
        (Command(["/nonexistent"], directory: "/"), "running it in '/': No such file or directory"),
        (Command([]), "no program is named: Invalid argument"),
        (Command([""]), "no program is named: Invalid argument"),
        (Command(["true", "a\0b"]), "an argument has a NUL byte in it: Invalid argument"),
        (
            Command(["true"], environment: ["A": "\0"]),
            "its environment or directory has a NUL byte in it: Invalid argument"
        ),
    ])
    func whatCannotBeStartedIsAnError(command: Command, words: String) async throws {
        let error = await #expect(throws: CommandError.self) { try await run(command) }
        #expect(error?.description == "cannot start '\(command.program)': \(words)")
    }

    /// A file that is executable and no program is not given to a shell.
    @Test func noShellHasALook() async throws {
        let path = "/tmp/rx-commands-\(getpid())-script"
        let file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o755)
        write(file, "echo shell\n", 11)
        close(file)
        defer { unlink(path) }
        let error = await #expect(throws: CommandError.self) { try await run(Command([path])) }
        #expect(error?.cause.number == ENOEXEC)
    }

    @Test func aGroupWhoseTimeIsUpIsToldAndThenKilled() async throws {
        var result = try await run(shell("echo begun; sleep 1000", timeout: .milliseconds(200)))
        #expect(result.isTimedOut && result.signal == SIGTERM && result.stdout.text == "begun\n")

        var command = shell("trap '' TERM; sleep 1000 & echo $$ $!; wait; sleep 1000", timeout: .milliseconds(200))
        command.grace = .milliseconds(100)
        result = try await run(command)
        #expect(result.isTimedOut && result.signal == SIGKILL)
        for process in result.stdout.text.split(whereSeparator: \.isWhitespace) {
            try await eventually("\(process) has gone") { hasEnded(String(process)) }
        }

        command.grace = .zero
        #expect(try await run(command).signal == SIGKILL)

        // It has the last word.
        result = try await run(
            shell("trap 'echo bye; exit 7' TERM; while :; do sleep 0.01; done", timeout: .milliseconds(200)))
        #expect(result.isTimedOut && result.exit == 7 && result.stdout.text == "bye\n")
    }

    @Test func aStoppedGroupEndsToo() async throws {
        let result = try await run(shell("kill -STOP $$", timeout: .milliseconds(100)))
        #expect(result.isTimedOut && result.signal == SIGTERM)
    }

    @Test func whatItLeavesRunningEndsWithIt() async throws {
        var command = shell("sleep 1000 & echo $!")
        command.grace = .milliseconds(100)
        let result = try await run(command)
        #expect(result.exit == 0 && !result.isTimedOut)
        let process = String(result.stdout.text.prefix { !$0.isNewline })
        try await eventually("\(process) has gone") { hasEnded(process) }
    }

    /// Who has left the group cannot be reached, and is not waited for.
    @Test func whoLeavesTheGroupIsLetGo() async throws {
        var command = shell("setsid sleep 1000 & echo $!", timeout: .milliseconds(300))
        command.grace = .milliseconds(50)
        let result = try await run(command)
        #expect(result.exit == 0)
        if let process = pid_t(result.stdout.text.prefix { !$0.isNewline }) { kill(process, SIGKILL) }
    }

    @Test func lateOutputIsWaitedFor() async throws {
        let result = try await run(shell("(sleep 0.2; echo late) & echo early"))
        #expect(result.stdout.text == "early\nlate\n")
    }

    @Test func itHasNoDescriptorButItsThree() async throws {
        // Some that are inherited unless somebody cares.
        let open = (0..<10).map { _ in Glibc.open("/dev/null", O_RDONLY) }
        defer { for descriptor in open { close(descriptor) } }
        let listing = try await run(Command(["ls", "/proc/self/fd"])).stdout.text
        // The fourth is the listing's own.
        #expect(listing == "0\n1\n2\n3\n")
    }

    @Test func itHasSignalsAndAGroupOfItsOwn() async throws {
        await #expect(processExitsWith: .success) {
            try Signals.block([SIGTERM, SIGHUP])
            signal(SIGPIPE, SIG_IGN)
            let text =
                try await Commands.run(Command(["cat", "/proc/self/status", "/proc/self/stat"]))
                .asSingleValue()?.stdout.text ?? ""
            for mask in ["SigBlk:\t", "SigIgn:\t"] {
                let digits = text.split(separator: "\n").first { $0.hasPrefix(mask) }?.dropFirst(mask.count) ?? "-"
                // Above are signals that the C library keeps to itself.
                #expect(UInt64(digits, radix: 16).map { $0 & 0x7FFF_FFFF } == 0)
            }
            let numbers = text.split(separator: "\n").last?.split(separator: " ") ?? []
            #expect(numbers.count > 5 && numbers[0] == numbers[4] && numbers[3] == "\(getpid())")
        }
    }

    @Test func disposingEndsTheGroupAndReapsIt() async throws {
        let path = "/tmp/rx-commands-\(getpid())-disposed"
        defer { unlink(path) }
        var command = shell("trap '' TERM; sleep 1000 & echo $$ $! > \(path).new; mv \(path).new \(path); wait")
        command.grace = .milliseconds(50)
        let log = Box<[String]>([])
        let subscription = Commands.run(command).subscribe { log.append("\($0)") }
        try await eventually("it runs") { access(path, F_OK) == 0 }
        let processes = try await run(Command(["cat", path])).stdout.text.split(whereSeparator: \.isWhitespace)
        #expect(processes.count == 2)
        subscription.dispose()
        try await eventually("it is reaped") { access("/proc/\(processes[0])", F_OK) != 0 }
        try await eventually("the other has gone") { hasEnded(String(processes[1])) }
        #expect(log.value == [])
    }

    @Test func disposedAtOnceItIsNotEvenStarted() async throws {
        let before = ProcessStatistics.current().descriptors
        for _ in 0..<200 { Commands.run(Command(["sleep", "1000"])).subscribe().dispose() }
        try await eventually("nothing is left") {
            children().isEmpty && ProcessStatistics.current().descriptors < before + 20
        }
    }

    @Test func manyAtOnceLeaveNothingBehind() async throws {
        let before = ProcessStatistics.current().descriptors
        let log = Box<[CommandResult]>([])
        let subscriptions = (0..<100).map { number in
            Commands.run(shell("echo \(number); sleep 0.0\(number % 10)")).subscribe(onNext: { log.append($0) })
        }
        try await eventually("all are done") { log.value.count == 100 }
        for subscription in subscriptions { subscription.dispose() }
        #expect(Set(log.value.map(\.stdout.text)) == Set((0..<100).map { "\($0)\n" }))
        try await eventually("nothing is left") {
            children().isEmpty && ProcessStatistics.current().descriptors < before + 20
        }
    }

    @Test func withoutADescriptorItFails() async {
        await #expect(processExitsWith: .success) {
            _ = try await Commands.run(Command(["true"])).asSingleValue()
            let log = Box<[String]>([])
            try await withoutDescriptors {
                let subscription = Commands.run(Command(["true"]))
                    .subscribe(onError: { error in log.append("\(error)") })
                try await eventually("it fails") { !log.value.isEmpty }
                subscription.dispose()
            }
            #expect(log.value == ["cannot start 'true': opening /dev/null: Too many open files"])
        }
    }

    /// For each number of descriptors that are left, up to enough: it fails cleanly or works.
    @Test func withFewDescriptorsItFailsOrWorksButLeaksNothing() async {
        await #expect(processExitsWith: .success) {
            _ = try await Commands.run(Command(["true"])).asSingleValue()
            await warmUpDispatch()
            let limit = openFilesLimit
            let first = open("/dev/null", O_RDONLY)
            close(first)
            var outcomes: Set<String> = []
            // A few are Dispatch's, which looks at the threads that run tests.
            for room in 4..<100 where !outcomes.contains("exit 0") {
                openFilesLimit.rlim_cur = rlim_t(Int(first) + room)
                do {
                    let result = try await Commands.run(Command(["true"])).asSingleValue()
                    outcomes.insert("exit \(result?.exit ?? -1)")
                } catch {
                    outcomes.insert("\((error as? CommandError)?.cause.number ?? -1)")
                }
                openFilesLimit = limit
                try await eventually("all is closed again") {
                    let next = open("/dev/null", O_RDONLY)
                    close(next)
                    // Another thread may have had one open when the first was looked for.
                    return next <= first && children().isEmpty
                }
            }
            #expect(outcomes == ["exit 0", "\(EMFILE)"])
        }
    }

    @Test func standardStreamsThatAreMissingDoNotMatter() async {
        await #expect(processExitsWith: .success) {
            let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)
            for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { close(stream) }
            var command = Command(["sh", "-c", "cat; echo problem >&2"])
            command.input = Array("text".utf8)
            let result = try await Commands.run(command).asSingleValue()
            dup2(copy, STDERR_FILENO)
            #expect(result?.stdout.text == "text" && result?.stderr.text == "problem\n")
        }
    }

    @Test func aProcessThatIgnoresItsChildrenIsToldNoStatus() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            let result = try await Commands.run(Command(["sh", "-c", "echo a; exit 3"])).asSingleValue()
            #expect(result?.stdout.text == "a\n" && result?.exit == nil && result?.signal == nil)
        }
    }

    // MARK: polling

    @Test func pollingRunsOneAtATime() async throws {
        let path = "/tmp/rx-commands-\(getpid())-lock"
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let log = Box<[Int32?]>([])
        let subscription = Commands.poll(
            shell("mkdir \(path) && sleep 0.05 && rmdir \(path)"), TickSchedule(every: .milliseconds(7), delay: .zero),
            scheduler: scheduler
        )
        .subscribe(onNext: { result in log.append(try? result.get().exit) })
        try await eventually("it ran some times") { log.value.count >= 4 }
        subscription.dispose()
        #expect(log.value.allSatisfy { $0 == 0 })
        try await eventually("it has ended") { children().isEmpty }
        rmdir(path)
    }

    @Test func aProgramThatCannotBeStartedDoesNotEndPolling() async throws {
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let log = Box<[String]>([])
        let subscription = Commands.poll(
            Command(["/nonexistent"]), TickSchedule(every: .milliseconds(1), delay: .zero), scheduler: scheduler
        )
        .subscribe(onNext: { result in
            if case .failure(let error) = result { log.append("\(error)") }
        })
        try await eventually("it failed some times") { log.value.count >= 3 }
        subscription.dispose()
        #expect(Set(log.value) == ["cannot start '/nonexistent': running it: No such file or directory"])
    }
}

/// Whether a process is gone, or waits for whoever adopted it to reap it.
private func hasEnded(_ process: String) -> Bool {
    guard let file = fopen("/proc/\(process)/stat", "re") else { return true }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    fgets(&line, 512, file)
    return String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).contains(") Z ")
}

/// The children of this process, but for those of other tests, which are none while a balanced one runs.
private func children() -> [pid_t] {
    var info = siginfo_t()
    return waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) == 0 ? [info._sifields._sigchld.si_pid] : []
}
