import CLinux
import Dispatch
import Glibc
import RxEngine

// Unchecked: the lock guards all mutable state.
/// The running commands of this process, and the search for the processes that each has started.
final class CommandRunTable: @unchecked Sendable {
    /// A running command.
    struct Run: Sendable, Hashable {
        /// An environment assignment that identifies the run, and that its processes inherit.
        let mark: String
        /// A time before the process was started, in clock ticks since boot.
        let started: UInt64
        /// Whether this is a program of ours that starts no processes.
        var isTrusted = false
    }

    static let shared = CommandRunTable()
    /// The prefix of every mark: the variable's name and `=`.
    static let variable = Array("RX_RUN=".utf8)
    /// The most searches for a command's remaining processes that find no new one, the pause after such a search in
    /// milliseconds, and the most searches at all.
    private static let (maximumRounds, pause, lastRound) = (200, Int32(5), 10_000)

    private let queue = DispatchQueue(label: "rx.command-runs")
    private let lock = Lock()
    private var runs: Set<Run> = []
    /// The processes that were started for commands and are not reaped yet.
    private var leaders: Set<pid_t> = []
    /// The leaders of trusted runs.
    private var trusted: Set<pid_t> = []
    /// The runs whose process is not known yet.
    private var unstarted: Set<Run> = []
    private var lastNumber = 0
    private var isSweeping = false

    /// Whether no command runs, and no remaining process of one is being killed. Trusted runs do not count.
    var isEmpty: Bool { lock.locked { !hasCommands && leaders.isSubset(of: trusted) } }

    private var hasCommands: Bool { runs.contains { !$0.isTrusted } }

    // MARK: running commands

    /// Registers a run, before its process is started.
    ///
    /// - Parameter isTrusted: whether this is a program of ours that starts no processes.
    func begin(isTrusted: Bool = false) -> Run {
        let (run, startsSweep) = lock.locked { () -> (Run, Bool) in
            lastNumber += 1
            let run = Run(mark: "RX_RUN=\(getpid())-\(lastNumber)", started: ProcessTable.now(), isTrusted: isTrusted)
            runs.insert(run)
            unstarted.insert(run)
            if isTrusted || isSweeping { return (run, false) }
            isSweeping = true
            return (run, true)
        }
        if startsSweep { sweepLater() }
        return run
    }

    func started(_ run: Run, _ leader: pid_t) {
        lock.locked {
            leaders.insert(leader)
            if run.isTrusted { trusted.insert(leader) }
            unstarted.remove(run)
        }
    }

    func cancel(_ run: Run) {
        lock.locked {
            runs.remove(run)
            unstarted.remove(run)
        }
    }

    func reaped(_ leader: pid_t) {
        lock.locked {
            leaders.remove(leader)
            trusted.remove(leader)
        }
    }

    /// Kills the process groups of all commands, and does not wait for their end.
    func killAll() {
        for leader in lock.locked({ leaders.subtracting(trusted) }) { kill(-leader, SIGKILL) }
    }

    // MARK: descendants

    /// Sends `signal` to the processes of a command that are not in its process group.
    func send(_ signal: Int32, to run: Run, _ leader: pid_t) {
        if run.isTrusted || hasNoDescendants(leader) { return }
        for entry in members(of: run, leader) where !entry.isZombie && getpgid(entry.number) != leader {
            Self.send(signal, to: entry)
        }
    }

    /// Kills the remaining processes of a command, whose leader has ended and is not reaped. Waits up to a second for
    /// those that it has found, and longer while they start new ones.
    func end(_ run: Run, _ leader: pid_t) {
        // Unregister the run first: an orphan without a mark then belongs to a command that still runs, or to none.
        lock.locked { _ = runs.remove(run) }
        if run.isTrusted { return }
        var seen: Set<ProcessTable.Entry> = []
        var idleRounds = 0
        for _ in 0..<Self.lastRound where idleRounds < Self.maximumRounds {
            guard mayHaveOrphans else { return }
            let members = members(of: run, leader)
            if members.isEmpty { return }
            for entry in members {
                if !entry.isZombie { Self.send(SIGKILL, to: entry) }
                if entry.parent == getpid() { waitpid(entry.number, nil, WNOHANG) }
            }
            // Pause only if no new process was found: processes that keep forking get no time for it.
            if seen.isSuperset(of: members) {
                idleRounds += 1
                poll(nil, 0, Self.pause)
            }
            seen.formUnion(members)
        }
    }

    private func members(of run: Run, _ leader: pid_t) -> [ProcessTable.Entry] {
        // Read the table before the list of runs: every leader in the table is then registered in the list.
        let table = ProcessTable.shared()
        let (others, leaders) = lock.locked {
            (runs.filter { $0 != run && (!$0.isTrusted || unstarted.contains($0)) }, self.leaders)
        }
        let family = CommandProcesses(
            run: run, leader: leader, others: Array(others), leaders: leaders,
            own: (getpid(), getsid(0)), adoptsOrphans: rx_adopts_orphans() != 0)
        return family.members(of: table, mark: Self.mark)
    }

    /// Whether the leader has no children and this process has no orphans. This avoids reading the table of all
    /// processes for each of hundreds of commands, which takes seconds.
    private func hasNoDescendants(_ leader: pid_t) -> Bool {
        var threads = stat()
        // A directory has two links, and one for each subdirectory: three links mean one thread. The kernel lists
        // children by the thread that started them, so the children of a single thread are all children.
        guard stat("/proc/\(leader)/task", &threads) == 0, threads.st_nlink == 3 else { return false }
        let path = "/proc/\(leader)/task/\(leader)/children"
        return access(path, R_OK) == 0 && KernelFile.bytes(of: path, maximum: 1).isEmpty && !mayHaveOrphans
    }

    /// Whether this process may have adopted a process. The kernel lists orphans as children of the first thread, and
    /// commands as children of the threads that started them.
    private var mayHaveOrphans: Bool {
        guard rx_adopts_orphans() != 0 else { return true }
        let path = "/proc/self/task/\(getpid())/children"
        guard access(path, R_OK) == 0 else { return true }
        let children = String(decoding: KernelFile.bytes(of: path, maximum: 1 << 20), as: UTF8.self)
            .split(separator: " ").compactMap { pid_t($0) }
        return lock.locked { !leaders.isSuperset(of: children) }
    }

    /// Returns the mark in the environment that a process was started with.
    private static func mark(of number: pid_t) -> String? {
        KernelFile.bytes(of: "/proc/\(number)/environ", maximum: 1 << 18).split(separator: 0)
            .last { $0.starts(with: variable) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Sends a signal to a process, unless another process has its number by now.
    private static func send(_ signal: Int32, to entry: ProcessTable.Entry) {
        let descriptor = pidfd_open(entry.number, 0)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard let now = ProcessTable.entry(of: entry.number), now.started == entry.started else { return }
        if descriptor < 0 || pidfd_send_signal(descriptor, signal, nil, 0) != 0 { kill(entry.number, signal) }
    }

    // MARK: reaping

    private func sweepLater() {
        queue.asyncAfter(deadline: .now() + .seconds(2)) { [self] in
            let continues = lock.locked {
                isSweeping = hasCommands
                return isSweeping
            }
            guard continues else { return }
            sweep()
            sweepLater()
        }
    }

    /// Reaps the adopted processes that have ended, since the commands that started them may run for hours.
    private func sweep() {
        var info = siginfo_t()
        guard rx_adopts_orphans() != 0, waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0,
            info._sifields._sigchld.si_pid != 0
        else { return }
        let table = ProcessTable.current()
        let (leaders, unstarted) = lock.locked { (self.leaders, self.unstarted) }
        let own = (number: getpid(), session: getsid(0))
        for entry in table.entries where entry.isZombie && CommandProcesses.isOrphan(entry, own, leaders) {
            if unstarted.contains(where: { $0.started <= entry.started }) { continue }
            // This is a command that was started and has ended since the list was read.
            if lock.locked({ self.leaders.contains(entry.number) }) { continue }
            waitpid(entry.number, nil, WNOHANG)
        }
    }
}

extension Command {
    /// Kills all running commands, with what they have started, and does not wait for their end.
    ///
    /// It is for a process that exits at once. What they have started are the processes in their process groups.
    public static func killAll() { CommandRunTable.shared.killAll() }
}
