import Glibc
import RxLinux
import Testing

@testable import RxPipelines

/// Tests of the entries that a journal source leaves out, so that it does not read its own effects.
struct JournalLoopGuardTests {
    /// The second run of a service: processes 7 and 8, runs `a` and `b`.
    private func loops(_ matches: [String], isService: Bool = true) -> JournalLoopGuard {
        let sources = JournalSourceNames()
        for name in ["denied", "all"] { sources.add(name) }
        return JournalLoopGuard(
            name: "denied", asksForAuthor: JournalLoopGuard.asksForAuthor(matches.map { JournalField($0, "x") }),
            authors: JournalPosition.OwnIdentities(
                processes: [7, 8], invocations: isService ? ["a", "b"] : [], isService: isService),
            sources: sources, user: isService ? "5" : nil)
    }

    /// Broad sources, such as of all entries of a priority, do not read the daemon's entries at all.
    @Test(arguments: [
        (["_PID": "8", "_SYSTEMD_INVOCATION_ID": "b"], true),
        (["_PID": "7", "_SYSTEMD_INVOCATION_ID": "a"], true),
        // A command of the daemon.
        (["_PID": "99", "_SYSTEMD_INVOCATION_ID": "b"], true),
        // Another service, whose process has the number of an earlier process of the daemon.
        (["_PID": "7", "_SYSTEMD_INVOCATION_ID": "c"], false), (["_PID": "7"], false),
        (["_PID": "99", "_SYSTEMD_INVOCATION_ID": "c"], false), ([:], false),
        // A command of the daemon that ended before the journal looked up its unit.
        (["_PID": "99", "_UID": "5"], true), (["_PID": "99", "_UID": "0"], false),
        (["_PID": "99", "_UID": "5", "_SYSTEMD_INVOCATION_ID": "c"], false),
        (["_PID": "99", "_SYSTEMD_INVOCATION_ID": "c", "_TRANSPORT": "stdout"], false),
    ])
    func broadSourceReadsNoEntryOfDaemon(fields: [String: String], isLeftOut: Bool) {
        for matches in [[], ["PRIORITY"], ["_TRANSPORT"], ["_SYSTEMD_SLICE"]] {
            #expect(loops(matches).excludes { fields[$0] } == isLeftOut, "\(matches)")
        }
    }

    /// A source that selects entries by their author reads those of the daemon, except those caused by journal sources.
    @Test(arguments: [
        (["_PID": "8", "_SYSTEMD_INVOCATION_ID": "b"], false),
        (["_PID": "99", "_SYSTEMD_INVOCATION_ID": "b"], false),
        (["_PID": "8", "_SYSTEMD_INVOCATION_ID": "b", "RX_CAUSE": "tick:3"], false),
        (["_PID": "8", "_SYSTEMD_INVOCATION_ID": "b", "RX_CAUSE": "denied:3"], true),
        (["_PID": "8", "_SYSTEMD_INVOCATION_ID": "b", "RX_CAUSE": "all:3"], true),
        (["_PID": "8", "_SYSTEMD_INVOCATION_ID": "b", "RX_CAUSE": "all2:3"], false),
        (["_PID": "8", "_SYSTEMD_INVOCATION_ID": "b", "RX_CAUSE": "all"], false),
        // Of an earlier process, and of another program.
        (["_PID": "7", "_SYSTEMD_INVOCATION_ID": "a", "RX_CAUSE": "all:3"], true),
        (["_PID": "1", "RX_CAUSE": "denied:3"], false),
        // A line on standard output, which has no cause; that of a command is its own.
        (["_PID": "8", "_SYSTEMD_INVOCATION_ID": "b", "_TRANSPORT": "stdout"], true),
        (["_PID": "99", "_SYSTEMD_INVOCATION_ID": "b", "_TRANSPORT": "stdout"], false),
    ])
    func authorSourceReadsEntriesNotCausedByJournal(fields: [String: String], isLeftOut: Bool) {
        for matches in [["RX_KIND"], ["_SYSTEMD_UNIT"], ["PRIORITY", "SYSLOG_IDENTIFIER"], ["MESSAGE_ID"]] {
            #expect(loops(matches).excludes { fields[$0] } == isLeftOut, "\(matches)")
        }
    }

    /// Without a service manager, the daemon's entries are recognized by its process ID alone.
    @Test(arguments: [
        (["_PID": "8"], true), (["_PID": "8", "_SYSTEMD_INVOCATION_ID": "session"], true), (["_PID": "7"], false),
        (["_PID": "7", "RX_CAUSE": "denied:1"], true),
    ])
    func withoutServiceManagerEntriesAreRecognizedByProcess(fields: [String: String], isLeftOut: Bool) {
        #expect(loops([], isService: false).excludes { fields[$0] } == isLeftOut)
    }

    @Test func namesOfRunningSourcesAreKnown() {
        let names = JournalSourceNames()
        names.add("a")
        names.add("a")
        names.remove("a")
        #expect(names.contain("a"))
        names.remove("a")
        names.remove("b")
        #expect(!names.contain("a") && !names.contain("b"))
    }

    @Test func positionRoundTrips() {
        let position = JournalPosition(
            cursor: "s=1", authors: JournalPosition.OwnIdentities(processes: [1, 2], invocations: ["a"]))
        #expect(JournalPosition(position.json) == position)
        // Saved by an earlier version.
        #expect(
            JournalPosition(["cursor": "x", "processes": [3]])
                == JournalPosition(cursor: "x", authors: JournalPosition.OwnIdentities(processes: [3])))
        // Forged.
        #expect(
            JournalPosition(["cursor": "x", "processes": [1e300, 1.5, -1e300, 3]])
                == JournalPosition(cursor: "x", authors: JournalPosition.OwnIdentities(processes: [3])))
        let next = JournalPosition.OwnIdentities(after: position)
        #expect(next.processes == [1, 2, Int(getpid())] && next.invocations.first == "a")
    }
}
