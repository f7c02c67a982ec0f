import Glibc

/// The processes that a command has started, directly or indirectly.
///
/// A process belongs to the command if it is a descendant of the command's process, is in its session, or has the run's
/// mark in its environment. A process whose parent has ended becomes a child of this process, if this process adopts
/// orphans. Such an orphan without a mark belongs to the command if every other running command began after the orphan.
struct CommandProcesses {
    let run: CommandRunTable.Run
    /// The process that was started for the command, which leads its group and session.
    let leader: pid_t
    /// The other running commands.
    let others: [CommandRunTable.Run]
    /// The leaders of all commands.
    let leaders: Set<pid_t>
    /// The process and session numbers of this process.
    let own: (number: pid_t, session: pid_t)
    let adoptsOrphans: Bool

    /// Returns the processes that the command has started, without its leader, each after its parent.
    ///
    /// In this order, a shell that waits for a child gets a signal before the child does, so that its trap runs.
    ///
    /// - Parameters:
    ///   - table: the processes of the system.
    ///   - mark: returns the mark in the environment of a process.
    func members(of table: ProcessTable, mark: (pid_t) -> String?) -> [ProcessTable.Entry] {
        let children = Dictionary(grouping: table.entries, by: \.parent)
        var members: Set<ProcessTable.Entry> = []
        var waiting = table.entries.filter { isKnownDescendant($0, mark) }
        while let entry = waiting.popLast() {
            guard canBeMember(entry), members.insert(entry).inserted else { continue }
            waiting += children[entry.number] ?? []
        }
        return members.sorted { ($0.started, $0.number) < ($1.started, $1.number) }
    }

    private func canBeMember(_ entry: ProcessTable.Entry) -> Bool {
        entry.number != leader && entry.number != own.number && !leaders.contains(entry.number)
    }

    /// Whether the process belongs to the command by its own properties, not only by its parent.
    private func isKnownDescendant(_ entry: ProcessTable.Entry, _ mark: (pid_t) -> String?) -> Bool {
        guard canBeMember(entry), entry.started >= run.started else { return false }
        if entry.parent == leader || entry.session == leader { return true }
        let isOrphan = adoptsOrphans && Self.isOrphan(entry, own, leaders)
        // A process in this process's own session was not started by a command.
        guard isOrphan || entry.session != own.session else { return false }
        if let mark = mark(entry.number) {
            if mark == run.mark { return true }
            if others.contains(where: { $0.mark == mark }) { return false }
        }
        return isOrphan && !others.contains { $0.started <= entry.started }
    }

    /// Whether this process has adopted the process; also true of a command's leader that is just being started.
    static func isOrphan(
        _ entry: ProcessTable.Entry, _ own: (number: pid_t, session: pid_t), _ leaders: Set<pid_t>
    ) -> Bool {
        entry.parent == own.number && entry.session != own.session && !leaders.contains(entry.number)
    }
}
