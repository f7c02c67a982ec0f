import Dispatch
import Glibc
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxLinux

@Suite(.balanced) struct CommandRunnerTests {
    /// The result of a command.
    func run(_ command: Command) async throws -> CommandResult {
        try await #require(CommandRunner.run(command).asSingleValue())
    }

    func shell(_ script: String, timeout: Duration? = .seconds(20)) -> Command {
        Command(["/bin/sh", "-c", script], timeout: timeout)
    }

    @Test(
        arguments: [
            ("exit 0", 0, nil), ("exit 3", 3, nil), ("kill -KILL $$", nil, SIGKILL), ("kill -TERM $$", nil, SIGTERM),
        ] as [(String, Int32?, Int32?)])
    func resultHasExitStatusOrSignal(script: String, exit: Int32?, signal: Int32?) async throws {
        let result = try await run(shell(script))
        #expect(result.exit == exit && result.signal == signal && !result.isTimedOut)
        #expect(result.duration > .zero && result.duration < .seconds(20))
    }

    @Test func standardStreamsAreKeptApart() async throws {
        let result = try await run(shell("printf 'a\\0\\377'; echo problem >&2"))
        #expect(result.stdout == .init([0x61, 0, 0xFF]))
        #expect(result.stderr.text == "problem\n" && !result.stderr.isTruncated)
    }

    @Test func outputBeyondLimitIsReadAndDropped() async throws {
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

    /// What a pipe still holds when a command's grace period is over, and its writer has not closed it.
    @Test(arguments: [6, 4]) func restOfPipeIsReadAtFinish(limit: Int) throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        defer { close(writing) }
        let queue = DispatchQueue(label: "test")
        // On the queue, so that it reads nothing before.
        let (output, isAtEnd, isEndReported) = queue.sync {
            let isEndReported = Cell(false)
            let captured = CapturedOutput(Descriptor(owning: reading), limit: limit, on: queue) {
                isEndReported.update { $0 = true }
            }
            #expect(write(writing, "remain", 6) == 6)
            captured.finish()
            return (captured.takeOutput(), captured.isAtEnd, isEndReported)
        }
        #expect(output == .init(Array("remain".utf8.prefix(limit)), isTruncated: limit < 6))
        #expect(isAtEnd)
        // The caller knows the end.
        #expect(!queue.sync { isEndReported.value })
    }

    /// Neither by default nor with ``Command/inheritedEnvironment``.
    @Test func serviceManagerVariablesAreNotInherited() async throws {
        let names = [
            "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "FDSTORE",
            "JOURNAL_STREAM", "MAINPID", "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE",
        ]
        let others = ["INVOCATION_ID", "CREDENTIALS_DIRECTORY", "NOTIFY_SOCKET_OTHER"]
        for name in names + others { setenv(name, "12345", 1) }
        defer { for name in names + others { unsetenv(name) } }
        for environment in [nil, Command.inheritedEnvironment] {
            let output = try await run(Command(["env"], environment: environment)).stdout.text
            let had = Set(
                output.split(separator: "\n").filter { $0.hasSuffix("=12345") }.map { String($0.dropLast(6)) })
            #expect(had == Set(others))
        }
        // A value that is not text is passed on unchanged.
        setenv("RX_BYTES", "\u{E9}", 1)
        defer { unsetenv("RX_BYTES") }
        #expect(try await run(shell("printf %s \"$RX_BYTES\"")).stdout.bytes == [0xC3, 0xA9])
    }

    /// A variable that this process must not have, for the sake of a library, is one that commands have.
    @Test func hiddenVariableIsInherited() async throws {
        await #expect(processExitsWith: .success) {
            setenv("RX_HIDDEN", "a b", 1)
            for name in ["RX_HIDDEN", "RX_MISSING"] { Command.hide(name) }
            #expect(getenv("RX_HIDDEN") == nil)
            for environment in [nil, Command.inheritedEnvironment] {
                let outcome = Cell<String?>(nil)
                let subscription = CommandRunner.run(
                    Command(["sh", "-c", "echo $RX_HIDDEN"], environment: environment)
                )
                .subscribe(onNext: { result in outcome.update { $0 = result.stdout.text } })
                try await eventually("the command has ended") { outcome.value != nil }
                #expect(outcome.value == "a b\n")
                subscription.dispose()
            }
        }
    }

    /// When memory is short, a command is killed before the daemon, which is larger.
    @Test func kernelKillsCommandsFirst() async throws {
        let script = "until [ \"$(cat /proc/self/oom_score_adj)\" = 500 ]; do sleep 0.01; done; echo first"
        #expect(try await run(Command(["sh", "-c", script])).stdout.text == "first\n")
    }

    @Test func inputIsPassedToCommand() async throws {
        var command = Command(["cat"])
        command.outputLimit = 1 << 24
        command.input = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        #expect(try await run(command).stdout.bytes == command.input)

        // The input is not read: nothing blocks, and no SIGPIPE ends this process.
        command.run = [Array("true".utf8)]
        #expect(try await run(command).exit == 0)

        command.run = [Array("cat".utf8)]
        command.input = []
        #expect(try await run(command).stdout.bytes == [])
    }

    @Test func commandHasGivenEnvironmentAndDirectory() async throws {
        var command = Command(["/usr/bin/env"], environment: ["B": "2 ö", "A": "=\n"])
        #expect(try await run(command).stdout.text.hasPrefix("A==\n\nB=2 ö\nRX_RUN=\(getpid())-"))
        command = Command(["/bin/pwd"], environment: [:], directory: "/usr/lib")
        #expect(try await run(command).stdout.text == "/usr/lib\n")
        #expect(try await run(Command(["/usr/bin/env"])).stdout.text.contains("PATH="))
    }

    @Test func argumentsMayBeAnyBytes() async throws {
        var command = Command(["/usr/bin/printf", "%s|%s", "$HOME `x` \n'\""])
        command.run.append([0xFF, 0xFE])
        #expect(try await run(command).stdout.bytes == Array("$HOME `x` \n'\"|".utf8) + [0xFF, 0xFE])
    }

    @Test(arguments: [
        (Command(["/nonexistent/program"]), "running it: No such file or directory"),
        (Command(["no-such-program-here"]), "looking for it in PATH: No such file or directory"),
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
    func failedStartIsAnError(command: Command, words: String) async throws {
        let error = await #expect(throws: CommandError.self) { try await run(command) }
        #expect(error?.description == "cannot start '\(command.program)': \(words)")
    }

    /// An executable file that is not a program is not given to a shell.
    @Test func executableWithoutFormatIsNotRunByShell() async throws {
        let folder = TemporaryDirectory()
        let path = folder("script")
        let file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o755)
        write(file, "echo shell\n", 11)
        close(file)
        let error = await #expect(throws: CommandError.self) { try await run(Command([path])) }
        #expect(error?.cause.number == ENOEXEC)
    }

    @Test func lateOutputIsRead() async throws {
        let result = try await run(shell("(sleep 0.2; echo late) & echo early"))
        #expect(result.stdout.text == "early\nlate\n")
    }

    @Test func commandInheritsNoDescriptors() async throws {
        // Descriptors that would be inherited by default.
        let open = (0..<10).map { _ in Glibc.open("/dev/null", O_RDONLY) }
        defer { for descriptor in open { close(descriptor) } }
        let listing = try await run(Command(["ls", "/proc/self/fd"])).stdout.text
        // The fourth is the listing's own.
        #expect(listing == "0\n1\n2\n3\n")
    }

    @Test func commandHasDefaultSignalsAndOwnGroup() async throws {
        await #expect(processExitsWith: .success) {
            try ProcessSignals.block([SIGTERM, SIGHUP])
            signal(SIGPIPE, SIG_IGN)
            let text =
                try await CommandRunner.run(Command(["cat", "/proc/self/status", "/proc/self/stat"]))
                .asSingleValue()?.stdout.text ?? ""
            for mask in ["SigBlk:\t", "SigIgn:\t"] {
                let digits = text.split(separator: "\n").first { $0.hasPrefix(mask) }?.dropFirst(mask.count) ?? "-"
                // Above are signals that the C library reserves.
                #expect(UInt64(digits, radix: 16).map { $0 & 0x7FFF_FFFF } == 0)
            }
            let numbers = text.split(separator: "\n").last?.split(separator: " ") ?? []
            #expect(numbers.count > 5 && numbers[0] == numbers[4] && numbers[3] == "\(getpid())")
            // The session, too.
            #expect(numbers.count > 5 && numbers[5] == numbers[0])
        }
    }

    @Test func manyConcurrentCommandsLeakNothing() async throws {
        let before = ProcessStatistics.current().descriptors
        let log = Cell<[CommandResult]>([])
        let subscriptions = (0..<100).map { number in
            CommandRunner.run(shell("echo \(number); sleep 0.0\(number % 10)")).subscribe(onNext: { log.append($0) })
        }
        try await eventually("all are done") { log.value.count == 100 }
        for subscription in subscriptions { subscription.dispose() }
        #expect(Set(log.value.map(\.stdout.text)) == Set((0..<100).map { "\($0)\n" }))
        try await eventually("nothing is left") {
            children().isEmpty && ProcessStatistics.current().descriptors < before + 20
        }
    }

    @Test func failsWithoutDescriptor() async {
        await #expect(processExitsWith: .success) {
            let before = pipeDescriptors()
            _ = try await CommandRunner.run(Command(["true"])).asSingleValue()
            try await eventually("the command's descriptors are closed") {
                pipeDescriptors() == before
                    && !(0..<100).contains { descriptorTarget($0) == "anon_inode:[pidfd]" }
            }
            let log = Cell<[String]>([])
            try await withoutDescriptors {
                let subscription = CommandRunner.run(Command(["true"]))
                    .subscribe(onError: { error in log.append("\(error)") })
                try await eventually("it fails") { !log.value.isEmpty }
                subscription.dispose()
            }
            #expect(log.value == ["cannot start 'true': opening /dev/null: Too many open files"])
        }
    }

    /// With each number of available descriptors, up to enough: it fails cleanly or works.
    @Test func fewDescriptorsLeakNothing() async {
        await #expect(processExitsWith: .success) {
            _ = try await CommandRunner.run(Command(["true"])).asSingleValue()
            await warmUpDispatch()
            let limit = openFilesLimit
            let first = open("/dev/null", O_RDONLY)
            close(first)
            var outcomes: Set<String> = []
            // A few belong to Dispatch, which monitors the threads that run tests.
            for room in 4..<100 where !outcomes.contains("exit 0") {
                openFilesLimit.rlim_cur = rlim_t(Int(first) + room)
                do {
                    let result = try await CommandRunner.run(Command(["true"])).asSingleValue()
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

    @Test func missingStandardStreamsDoNotMatter() async {
        await #expect(processExitsWith: .success) {
            let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)
            for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { close(stream) }
            var command = Command(["sh", "-c", "cat; echo problem >&2"])
            command.input = Array("text".utf8)
            let result = try await CommandRunner.run(command).asSingleValue()
            dup2(copy, STDERR_FILENO)
            #expect(result?.stdout.text == "text" && result?.stderr.text == "problem\n")
        }
    }

    @Test func ignoredChildrenHaveNoStatus() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            let result = try await CommandRunner.run(Command(["sh", "-c", "echo a; exit 3"])).asSingleValue()
            #expect(result?.stdout.text == "a\n" && result?.exit == nil && result?.signal == nil)
        }
    }

    // MARK: polling

    @Test func pollingRunsOneAtATime() async throws {
        let folder = TemporaryDirectory()
        let path = folder("lock")
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let log = Cell<[Int32?]>([])
        let subscription = CommandRunner.poll(
            shell("mkdir \(path) && sleep 0.05 && rmdir \(path)"), TickSchedule(every: .milliseconds(7), delay: .zero),
            scheduler: scheduler
        )
        .subscribe(onNext: { result in log.append(try? result.get().exit) })
        try await eventually("it ran some times") { log.value.count >= 4 }
        subscription.dispose()
        #expect(log.value.allSatisfy { $0 == 0 })
        try await eventually("it has ended") { children().isEmpty }
    }

    /// The second request comes while the command of the first one runs.
    @Test func firedCommandRunsOnce() async throws {
        let folder = TemporaryDirectory()
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let (fires, log) = (PublishSubject<Void>(), Cell<[String]>([]))
        let subscription = CommandRunner.poll(
            CommandRunner.run(shell("until [ -e \(folder("go")) ]; do sleep 0.01; done; echo run")),
            TickSchedule(every: .seconds(3_600), delay: .seconds(3_600)), scheduler: scheduler,
            fires: fires.observe(on: scheduler)
        )
        .subscribe(onNext: { result in log.append((try? result.get().stdout.text) ?? "") })
        fires.onNext(())
        fires.onNext(())
        try await eventually("it has started") { !children().isEmpty }
        fires.onNext(())
        close(open(folder("go"), O_CREAT | O_WRONLY, 0o600))
        try await eventually("it ran") { log.value == ["run\n"] }
        fires.onNext(())
        try await eventually("it ran again") { log.value == ["run\n", "run\n"] }
        subscription.dispose()
        #expect(!fires.hasObservers)
    }

    /// Whoever has received the outcome of a run may fire the next one, although the run has not completed yet.
    @Test func commandIsFiredAgainBeforeItsRunCompletes() {
        let scheduler = TestScheduler(initialClock: 0)
        let (fires, log, runs) = (PublishSubject<Void>(), Cell<[Int32?]>([]), Cell<[AnyObserver<CommandResult>]>([]))
        let run = Observable<CommandResult>.create { observer in
            runs.append(observer)
            return Disposables.create()
        }
        let subscription = CommandRunner.poll(
            run, TickSchedule(every: .seconds(3_600), delay: .seconds(3_600)), scheduler: scheduler, fires: fires
        )
        .subscribe(onNext: { result in log.append(try? result.get().exit) })
        for number in 1...3 {
            fires.onNext(())
            fires.onNext(())
            #expect(runs.value.count == number)
            runs.value.last?.onNext(
                CommandResult(
                    exit: Int32(number), signal: nil, isTimedOut: false, stdout: .init(), stderr: .init(),
                    duration: .zero))
            scheduler.advanceTo(number)
            #expect(log.value == (1...number).map { Int32($0) })
        }
        subscription.dispose()
        runs.update { $0 = [] }
    }

    @Test func failedStartDoesNotEndPolling() async throws {
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let log = Cell<[String]>([])
        let subscription = CommandRunner.poll(
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

/// The children of this process, except those of other tests, of which there are none while a balanced test runs.
func children() -> [pid_t] {
    var info = siginfo_t()
    return waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) == 0 ? [info._sifields._sigchld.si_pid] : []
}
