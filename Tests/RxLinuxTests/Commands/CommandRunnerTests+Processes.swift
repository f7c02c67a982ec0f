import Dispatch
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

/// How the processes of a command end.
extension CommandRunnerTests {
    /// The timeouts leave a shell on a busy machine time to write a line and to set its trap.
    @Test func groupIsTerminatedAndThenKilledAtTimeout() async throws {
        var result = try await run(shell("echo begun; sleep 1000", timeout: .seconds(2)))
        #expect(result.isTimedOut && result.signal == SIGTERM && result.stdout.text == "begun\n")

        var command = shell("trap '' TERM; sleep 1000 & echo $$ $!; wait; sleep 1000", timeout: .seconds(2))
        command.grace = .milliseconds(100)
        result = try await run(command)
        #expect(result.isTimedOut && result.signal == SIGKILL)
        for process in result.stdout.text.split(whereSeparator: \.isWhitespace) {
            try await eventually("\(process) has gone") { hasEnded(String(process)) }
        }

        command.grace = .zero
        #expect(try await run(command).signal == SIGKILL)

        // Its own setting wins.
        result = try await run(
            shell("trap 'echo bye; exit 7' TERM; while :; do sleep 0.01; done", timeout: .seconds(2)))
        #expect(result.isTimedOut && result.exit == 7 && result.stdout.text == "bye\n")
    }

    @Test func stoppedGroupEndsAtTimeout() async throws {
        let result = try await run(shell("kill -STOP $$", timeout: .milliseconds(100)))
        #expect(result.isTimedOut && result.signal == SIGTERM)
    }

    @Test func backgroundProcessesEndWithCommand() async throws {
        var command = shell("sleep 1000 & echo $!")
        command.grace = .milliseconds(100)
        let result = try await run(command)
        #expect(result.exit == 0 && !result.isTimedOut)
        let process = String(result.stdout.text.prefix { !$0.isNewline })
        try await eventually("\(process) has gone") { hasEnded(process) }
    }

    /// A process that has left the group and the session also ends with the program.
    @Test(arguments: ["setsid sleep 1000 & echo $!", "setsid sh -c 'echo $$; exec sleep 1000' >/dev/stdout & wait $!"])
    func processesInOtherSessionsEndWithCommand(script: String) async throws {
        var command = shell(script, timeout: .seconds(2))
        command.grace = .milliseconds(50)
        let result = try await run(command)
        let process = String(result.stdout.text.prefix { !$0.isNewline })
        #expect(pid_t(process) != nil)
        try await eventually("\(process) has gone") { hasEnded(process) }
    }

    /// If this process adopts orphans, no process escapes: neither with a session of its own, nor after its parent has
    /// ended, nor with an environment without the mark, nor with closed streams. The processes of another command are
    /// left alone.
    @Test func noProcessOfCommandEscapes() async throws {
        await #expect(processExitsWith: .success) {
            try CommandRunner.adoptOrphans()
            let directory = TemporaryDirectory()
            let folder = directory.path
            // A helper that has left its session, of a command that continues.
            let other = CommandRunner.run(
                Command(["sh", "-c", "(setsid sleep 1000 & echo $! > \(folder)/other); exec sleep 1000"])
            ).subscribe()
            try await eventually("the other one runs") { text(of: "\(folder)/other") != "" }
            let escapes = [
                "(setsid sleep 1000 >/dev/null 2>&1 & echo $! > \(folder)/it)",
                "env -i setsid sh -c '(sleep 1000 & echo $! > \(folder)/it) >/dev/null 2>&1' & wait",
                "env -i sh -c '(sh -c \"(setsid sleep 1000 & echo \\$! > \(folder)/it) &\" &)' >/dev/null 2>&1; sleep 0.1",
            ]
            for (number, escape) in escapes.enumerated() {
                unlink("\(folder)/it")
                let result = try await CommandRunner.run(Command(["sh", "-c", escape])).asSingleValue()
                #expect(result?.exit == 0)
                let process = text(of: "\(folder)/it")
                // A process without a mark may belong to the other command, and is ended with the last command that may
                // have started it.
                if number == 0 { try await eventually("\(process) has gone") { hasEnded(process) } }
            }
            #expect(!hasEnded(text(of: "\(folder)/other")))
            other.dispose()
            try await eventually("nothing is left") { !CommandRunner.areRunning && children().isEmpty }
            for name in ["it", "other"] { #expect(hasEnded(text(of: "\(folder)/\(name)")), "\(name)") }
        }
    }

    @Test func runEndsWhenAllProcessesEnded() async throws {
        let folder = TemporaryDirectory()
        let path = folder("process")
        let log = Cell<[String]>([])
        var command = shell("trap '' TERM; echo $$ > \(path).new; mv \(path).new \(path); while :; do sleep 0.01; done")
        command.grace = .milliseconds(100)
        let subscription = CommandRunner.run(command) {
            log.append("begins")
            return { log.append("over") }
        }.subscribe()
        try await eventually("it runs") { access(path, F_OK) == 0 }
        let process = text(of: path)
        subscription.dispose()
        #expect(log.value == ["begins"])
        try await eventually("it is over") { log.value == ["begins", "over"] }
        #expect(access("/proc/\(process)", F_OK) != 0)
        // Also one that is never started.
        log.update { $0 = [] }
        CommandRunner.run(Command(["true"])) { { log.append("over") } }.subscribe().dispose()
        try await eventually("it is over") { log.value == ["over"] }
    }

    @Test func disposeEndsAndReapsGroup() async throws {
        let folder = TemporaryDirectory()
        let path = folder("processes")
        var command = shell("trap '' TERM; sleep 1000 & echo $$ $! > \(path).new; mv \(path).new \(path); wait")
        command.grace = .milliseconds(50)
        let log = Cell<[String]>([])
        let subscription = CommandRunner.run(command).subscribe { log.append("\($0)") }
        try await eventually("it runs") { access(path, F_OK) == 0 }
        let processes = try await run(Command(["cat", path])).stdout.text.split(whereSeparator: \.isWhitespace)
        #expect(processes.count == 2)
        subscription.dispose()
        try await eventually("it is reaped") { access("/proc/\(processes[0])", F_OK) != 0 }
        try await eventually("the other has gone") { hasEnded(String(processes[1])) }
        #expect(log.value == [])
    }

    @Test func commandDisposedAtOnceIsNotStarted() async throws {
        let before = ProcessStatistics.current().descriptors
        for _ in 0..<50 { CommandRunner.run(Command(["sleep", "1000"])).subscribe().dispose() }
        try await eventually("nothing is left") {
            children().isEmpty && ProcessStatistics.current().descriptors < before + 20
        }
    }
}

/// The first line of a file; empty if it is not there.
private func text(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    guard fgets(&line, 512, file) != nil else { return "" }
    return String(decoding: line.map { UInt8(bitPattern: $0) }.prefix { $0 != 10 && $0 != 0 }, as: UTF8.self)
}

/// Whether a process has ended, or only waits to be reaped by the process that adopted it.
private func hasEnded(_ process: String) -> Bool {
    guard let file = fopen("/proc/\(process)/stat", "re") else { return true }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    fgets(&line, 512, file)
    return String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).contains(") Z ")
}
