import Dispatch
import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

@Suite(.balanced) struct CommandLimiterTests {
    /// A command that runs until a file exists.
    private func waiting(for path: String) -> Command {
        Command(["/bin/sh", "-c", "until [ -e '\(path)' ]; do sleep 0.01; done"], timeout: .seconds(20))
    }

    private func run(_ command: Command, _ owner: String, _ slots: CommandLimiter, _ ended: Cell<[String]>)
        -> any Disposable
    {
        slots.run(command, for: owner).subscribe(
            onNext: { _ in ended.append(owner) }, onError: { Issue.record("\($0)") })
    }

    /// Waits until the commands of the owner "other" have ended, as the only ones, and lets the rest end.
    private func othersEnd(
        _ count: Int, of all: Int, _ ended: Cell<[String]>, in directory: TemporaryDirectory
    ) async throws {
        try await eventually("the others end: \(ended.value)") { ended.value.count == count }
        #expect(ended.value.allSatisfy { $0 == "other" })
        directory.write("go", "")
        try await eventually("all end: \(ended.value)") { ended.value.count == all }
    }

    /// An owner has half of the slots; its other commands run when these have ended.
    @Test func ownerHasHalfOfSlots() async throws {
        let directory = TemporaryDirectory()
        let (slots, ended) = (CommandLimiter(limit: 4), Cell<[String]>([]))
        let subscriptions = CompositeDisposable()
        for _ in 0..<5 { _ = subscriptions.insert(run(waiting(for: directory("go")), "busy", slots, ended)) }
        for _ in 0..<3 { _ = subscriptions.insert(run(Command(["true"]), "other", slots, ended)) }
        try await othersEnd(3, of: 8, ended, in: directory)
        subscriptions.dispose()
    }

    /// A slot is free again when a command was disposed of, also while it waited, or could not be started.
    @Test func slotIsFreeAfterDisposalAndFailure() async throws {
        let directory = TemporaryDirectory()
        let (slots, ended) = (CommandLimiter(limit: 2), Cell<[String]>([]))
        let first = run(waiting(for: directory("never")), "a", slots, ended)
        let second = run(waiting(for: directory("never")), "a", slots, ended)
        second.dispose()
        first.dispose()
        let errors = Cell<[String]>([])
        let failing = slots.run(Command(["/nonexistent"]), for: "a").subscribe(onError: { errors.append("\($0)") })
        try await eventually("it fails") { errors.value.count == 1 }
        let last = run(Command(["true"]), "a", slots, ended)
        try await eventually("the last one runs") { ended.value == ["a"] }
        for subscription in [failing, last] { subscription.dispose() }
    }

    /// Commands that hang leave slots to an owner whose commands do not.
    @Test func hangingCommandsDoNotUseAllSlots() async throws {
        let directory = TemporaryDirectory()
        let (timers, ended) = (Cell<[@Sendable () -> Void]>([]), Cell<[String]>([]))
        let slots = CommandLimiter(limit: 4, hangsAfter: .seconds(2)) { _, action in timers.append(action) }
        let subscriptions = CompositeDisposable()
        for owner in ["a", "b", "a", "b", "a", "b"] {
            _ = subscriptions.insert(run(waiting(for: directory("go")), owner, slots, ended))
        }
        for _ in 0..<5 { _ = subscriptions.insert(run(Command(["true"]), "other", slots, ended)) }
        // Time passes for the four that have begun, and not for the others.
        #expect(timers.value.count == 4)
        for timer in timers.value { timer() }
        try await othersEnd(5, of: 11, ended, in: directory)
        subscriptions.dispose()
    }

    /// A command that was disposed of while it waited says nothing about whether the next ones of its owner hang.
    @Test func disposedCommandKeepsOwnerSlow() async throws {
        let directory = TemporaryDirectory()
        let (slots, ended) = (CommandLimiter(limit: 4, hangsAfter: .milliseconds(100)), Cell<[String]>([]))
        let subscriptions = CompositeDisposable()
        func run(_ owner: String, _ script: String) -> CompositeDisposable.DisposeKey? {
            let command = Command(["/bin/sh", "-c", "cd '\(directory.path)'; \(script)"], timeout: .seconds(20))
            return subscriptions.insert(self.run(command, owner, slots, ended))
        }
        for owner in ["a", "b"] { _ = run(owner, "sleep 1") }
        try await eventually("both owners are slow") { ended.value.count == 2 }
        // This one hangs, too, so that its owner stays slow.
        _ = run("b", "sleep 1")
        _ = run("b", "until [ -e never ]; do sleep 0.01; done")
        if let waiting = run("a", "exit 1") { subscriptions.remove(for: waiting) }
        for name in ["one", "two"] { _ = run("a", "touch \(name); until [ -e never ]; do sleep 0.01; done") }
        try await eventually("one of the slots of slow owners is free") { access(directory("one"), F_OK) == 0 }
        _ = run("other", "true")
        try await eventually("other commands go on") { ended.value.contains("other") }
        #expect(access(directory("two"), F_OK) != 0)
        subscriptions.dispose()
    }

    /// Any number of commands that were disposed of while they waited retain nothing, and are skipped without recursion.
    @Test func commandsDisposedWhileWaitingRetainNothing() async throws {
        final class Token: Sendable {}
        let directory = TemporaryDirectory()
        let (slots, ended) = (CommandLimiter(limit: 2), Cell<[String]>([]))
        let first = run(waiting(for: directory("go")), "a", slots, ended)
        weak var token: Token?
        do {
            let held = Token()
            token = held
            for _ in 0..<20_000 {
                slots.run(Command(["true"]), for: "a").subscribe(onNext: { [held] _ in withExtendedLifetime(held) {} })
                    .dispose()
            }
        }
        #expect(token == nil)
        directory.write("go", "")
        let last = run(Command(["true"]), "a", slots, ended)
        try await eventually("both end: \(ended.value)") { ended.value == ["a", "a"] }
        for subscription in [first, last] { subscription.dispose() }
    }

    /// The output of all programs together is limited; each keeps 64 KiB in any case, and all is read.
    @Test func outputOfAllProgramsIsLimited() async throws {
        let quota = MemoryQuota(limit: 100_000)
        let queue = DispatchQueue(label: "test")
        let ended = Cell(0)
        var outputs: [CapturedOutput] = []
        for _ in 0..<3 {
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
            outputs.append(
                CapturedOutput(try Descriptor(ends[0], ""), limit: 1 << 20, quota: quota, on: queue) {
                    ended.update { $0 += 1 }
                })
            let writing = ends[1]
            DispatchQueue.global().async {
                let bytes = [UInt8](repeating: 65, count: 90_000)
                var written = 0
                while written < bytes.count {
                    written += bytes.withUnsafeBytes {
                        max(0, write(writing, $0.baseAddress! + written, $0.count - written))
                    }
                }
                close(writing)
            }
        }
        try await eventually("all is read") { ended.value == 3 }
        let results = queue.sync { outputs.map { $0.takeOutput() } }
        #expect(results.allSatisfy { $0.bytes.count >= 1 << 16 } && results.contains { $0.isTruncated })
        #expect(results.reduce(0) { $0 + $1.bytes.count } <= 100_000 + 3 << 16)
        #expect(quota.byteCount == 0)
    }

    /// What a program has written is kept even if another process has the pipe open.
    @Test func restOfOutputIsReadAtTheEnd() throws {
        let queue = DispatchQueue(label: "test")
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        let writing = try Descriptor(ends[1], "")
        let output = CapturedOutput(try Descriptor(ends[0], ""), limit: 1 << 20, on: queue) {
            Issue.record("a writer is left")
        }
        // On the queue, so that the output is not read before.
        let result = queue.sync {
            let bytes = [UInt8](repeating: 65, count: 60_000)
            #expect(bytes.withUnsafeBytes { write(writing.number, $0.baseAddress, $0.count) } == 60_000)
            output.finish()
            return output.takeOutput()
        }
        #expect(result.bytes.count == 60_000 && !result.isTruncated && output.isAtEnd)
    }
}
