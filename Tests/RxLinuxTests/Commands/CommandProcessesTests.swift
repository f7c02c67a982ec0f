import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Tests of which processes belong to a command.
struct CommandProcessesTests {
    private static let run = CommandRunTable.Run(mark: "RX_RUN=1-1", started: 100)
    private static let other = CommandRunTable.Run(mark: "RX_RUN=1-2", started: 150)

    /// A process; this one is 1, in session 1, the command's is 10, another command's is 20.
    private func process(
        _ number: Int32, parent: Int32, session: Int32, started: UInt64 = 200
    ) -> ProcessTable.Entry {
        ProcessTable.Entry(number: number, parent: parent, session: session, started: started, isZombie: false)
    }

    private func members(
        _ entries: [ProcessTable.Entry], marks: [Int32: String] = [:], others: [CommandRunTable.Run] = [],
        adoptsOrphans: Bool = true
    ) -> [Int32] {
        let family = CommandProcesses(
            run: Self.run, leader: 10, others: others, leaders: [10, 20], own: (1, 1), adoptsOrphans: adoptsOrphans)
        let table = ProcessTable(
            [
                process(1, parent: 0, session: 1, started: 1), process(10, parent: 1, session: 10, started: 100),
                process(20, parent: 1, session: 20, started: 150),
            ] + entries)
        return family.members(of: table) { marks[$0] }.map(\.number)
    }

    @Test func descendantsBelongToCommand() {
        let entries = [
            process(11, parent: 10, session: 10), process(12, parent: 11, session: 12),
            process(13, parent: 12, session: 13), process(21, parent: 20, session: 20),
        ]
        #expect(members(entries) == [11, 12, 13])
        #expect(members(entries, adoptsOrphans: false) == [11, 12, 13])
    }

    /// A shell whose child is ended first takes that for the child's own end, and does not run its trap.
    @Test func parentsComeBeforeTheirChildren() {
        let entries = (11...19).map { process($0, parent: $0 - 1, session: $0, started: UInt64(200 + $0 / 3)) }
        #expect(members(entries.reversed()) == Array(11...19))
    }

    @Test func sessionMembersBelongToCommand() {
        #expect(members([process(11, parent: 1, session: 10)]) == [11])
        #expect(members([process(11, parent: 2, session: 10)], adoptsOrphans: false) == [11])
    }

    @Test func markIdentifiesCommandOfOrphan() {
        let orphans = [process(11, parent: 1, session: 11), process(21, parent: 1, session: 21)]
        let marks: [Int32: String] = [11: Self.run.mark, 21: Self.other.mark]
        #expect(members(orphans, marks: marks, others: [Self.other]) == [11])
        // If another process adopts orphans.
        #expect(members([process(11, parent: 2, session: 11)], marks: marks, adoptsOrphans: false) == [11])
        // The other command has ended: its remaining processes belong to no command.
        #expect(members(orphans, marks: marks) == [11, 21])
    }

    @Test func orphanWithoutMarkBelongsToOnlyPossibleCommand() {
        let orphan = process(11, parent: 1, session: 11, started: 120)
        #expect(members([orphan], others: [Self.other]) == [11])
        #expect(members([process(11, parent: 1, session: 11)], others: [Self.other]) == [])
        #expect(members([process(11, parent: 1, session: 11)]) == [11])
        #expect(members([process(11, parent: 1, session: 11)], adoptsOrphans: false) == [])
    }

    @Test func otherChildrenOfThisProcessAreLeftAlone() {
        #expect(members([process(30, parent: 1, session: 1)], marks: [30: Self.run.mark]) == [])
        // It existed before the command.
        #expect(members([process(30, parent: 1, session: 30, started: 99)]) == [])
        // The program of another command, whatever it has made of its environment.
        #expect(members([], marks: [20: Self.run.mark]) == [])
        // Another command, which is just being started.
        let third = CommandRunTable.Run(mark: "RX_RUN=1-3", started: 200)
        #expect(members([process(30, parent: 1, session: 30)], others: [third]) == [])
    }

    /// A worker of this program runs for long and starts nothing: the processes that a command leaves are not
    /// attributed to it.
    @Test func orphansAreEndedWhileWorkerRuns() async {
        await #expect(processExitsWith: .success) {
            try CommandRunner.adoptOrphans()
            let null = open("/dev/null", O_RDWR | O_CLOEXEC)
            let worker = try ChildProcess(
                Command(["sleep", "1000"]), input: null, output: null, error: null, isTrusted: true)
            #expect(!CommandRunner.areRunning)
            var command = Command(["sh", "-c", "env -i setsid sh -c '(sleep 1000 >/dev/null 2>&1 & echo $!)' & wait"])
            command.grace = .milliseconds(100)
            let result = try await CommandRunner.run(command).asSingleValue()
            let orphan = pid_t(result?.stdout.text.prefix { !$0.isNewline } ?? "") ?? 0
            #expect(orphan > 0 && kill(orphan, 0) != 0)
            let isRunning = worker.status() == nil
            #expect(isRunning && !CommandRunner.areRunning)
            worker.send(SIGKILL)
            worker.reap()
        }
    }

    @Test(arguments: [
        ("7 (sh) S 1 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4242 100 5", "7 1 7 4242 false"),
        ("8 (a) b) (c) Z 7 7 6 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 99 0 0 1", "8 7 6 99 true"),
        ("8 (sh) S 7 7 6 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0", "none"), ("8 (sh) S 7 7", "none"), ("", "none"),
        ("x (sh) S", "none"),
    ])
    func kernelStatLineIsRead(line: String, expected: String) {
        let entry = ProcessTable.Entry(stat: line)
        let text = entry.map { "\($0.number) \($0.parent) \($0.session) \($0.started) \($0.isZombie)" } ?? "none"
        #expect(text == expected)
    }
}
