import CLinux
import Glibc

/// A started program that is not reaped yet, so that the kernel does not reuse its process number.
struct ChildProcess: ~Copyable {
    /// The number of the process, of its group and of its session.
    let number: pid_t
    private let run: CommandRunTable.Run
    /// Becomes readable when the process has ended.
    private let descriptor: Descriptor

    /// How a process ended.
    struct Status: Sendable, Hashable {
        var exit: Int32?
        var signal: Int32?
    }

    /// Starts a program with the given standard streams.
    ///
    /// - Parameters:
    ///   - command: the program.
    ///   - input: its standard input.
    ///   - output: its standard output.
    ///   - error: its standard error.
    ///   - isTrusted: whether this is a program of ours that starts no processes, so that none are searched for.
    init(
        _ command: Command, input: Int32, output: Int32, error: Int32, isTrusted: Bool = false
    ) throws(SystemError) {
        // Register the run before the process exists, so that no other command takes the process for one of its own.
        let run = CommandRunTable.shared.begin(isTrusted: isTrusted)
        let number: pid_t
        do throws(SystemError) {
            let place = command.directory.map { " in '\($0)'" } ?? ""
            number = try BlockingCalls.during("starting '\(ByteText.text(of: command.run.first ?? []))'\(place)") {
                () throws(SystemError) in try Spawn(command).start([input, output, error], mark: run.mark)
            }
        } catch {
            CommandRunTable.shared.cancel(run)
            throw error
        }
        CommandRunTable.shared.started(run, number)
        Self.preferForKilling(number)
        do throws(SystemError) {
            let watched = pidfd_open(number, 0)
            // If this process ignores SIGCHLD, the kernel reaps a child as soon as it ends. `/dev/null` is always
            // readable, which reports the end at once.
            let isGone = watched < 0 && errno == ESRCH
            descriptor = try Descriptor(isGone ? open("/dev/null", O_RDONLY | O_CLOEXEC) : watched, "watching it")
        } catch {
            kill(-number, SIGKILL)
            CommandRunTable.shared.end(run, number)
            waitpid(number, nil, 0)
            CommandRunTable.shared.reaped(number)
            throw error
        }
        self.number = number
        self.run = run
    }

    /// Makes the kernel kill the process before this one when memory is short, however little it uses.
    private static func preferForKilling(_ number: pid_t) {
        guard let file = fopen("/proc/\(number)/oom_score_adj", "we") else { return }
        fputs("500", file)
        fclose(file)
    }

    /// Returns a duplicate of the descriptor that becomes readable when the process has ended. The caller closes it.
    func watched() throws(SystemError) -> Descriptor {
        try .duplicate(descriptor.number)
    }

    /// Sends `signal` to the process and all its descendants, including those that have left its group.
    func send(_ signal: Int32) {
        if kill(-number, signal) != 0 { _ = pidfd_send_signal(descriptor.number, signal, nil, 0) }
        CommandRunTable.shared.send(signal, to: run, number)
    }

    /// Returns how the process ended, without reaping it; `nil` while it runs.
    func status() -> Status? {
        wait(WEXITED | WNOHANG | WNOWAIT)
    }

    /// Reaps the process, which has ended, and kills its remaining descendants, which takes some milliseconds.
    consuming func reap() {
        // Until the process is reaped, no other process group can have its number.
        if isUnreaped { kill(-number, SIGKILL) }
        CommandRunTable.shared.end(run, number)
        _ = wait(WEXITED)
        CommandRunTable.shared.reaped(number)
    }

    /// Whether the process has ended and is not reaped. It is reaped already if this process ignores `SIGCHLD`.
    private var isUnreaped: Bool {
        var info = siginfo_t()
        return waitid(P_PIDFD, id_t(descriptor.number), &info, WEXITED | WNOHANG | WNOWAIT) == 0
    }

    private borrowing func wait(_ options: Int32) -> Status? {
        var info = siginfo_t()
        while waitid(P_PIDFD, id_t(descriptor.number), &info, options) != 0 {
            // If this process ignores SIGCHLD, there is no child to wait for, and its status is lost.
            if errno != EINTR { return Status() }
        }
        guard info._sifields._sigchld.si_pid != 0 else { return nil }
        let value = info._sifields._sigchld.si_status
        return info.si_code == CLD_EXITED ? Status(exit: value) : Status(signal: value)
    }
}
