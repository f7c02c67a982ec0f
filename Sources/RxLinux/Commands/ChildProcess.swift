import CLinux
import Glibc

/// A program that was started and has not been reaped, so that its numbers are nobody else's.
struct ChildProcess: ~Copyable {
    /// The number of the process and of its group.
    let number: pid_t
    /// Becomes readable when the process has ended.
    private let descriptor: Descriptor

    /// How a process ended.
    struct Status: Sendable, Hashable {
        var exit: Int32?
        var signal: Int32?
    }

    /// Starts a program with these as its standard streams.
    init(_ command: Command, input: Int32, output: Int32, error: Int32) throws(SystemError) {
        let number = try Spawn(command).start([input, output, error])
        do throws(SystemError) {
            let watched = pidfd_open(number, 0)
            // Where this process ignores SIGCHLD, one that has ended is gone. Whoever waits for it need not.
            let isGone = watched < 0 && errno == ESRCH
            descriptor = try Descriptor(isGone ? open("/dev/null", O_RDONLY | O_CLOEXEC) : watched, "watching it")
        } catch {
            kill(-number, SIGKILL)
            waitpid(number, nil, 0)
            throw error
        }
        self.number = number
    }

    /// Another descriptor that becomes readable when the process has ended, for somebody who closes his own.
    func watched() throws(SystemError) -> Descriptor {
        try .duplicate(descriptor.number)
    }

    /// Sends `signal` to the whole group, or to the process itself where it has left that.
    func send(_ signal: Int32) {
        if kill(-number, signal) != 0 { _ = pidfd_send_signal(descriptor.number, signal, nil, 0) }
    }

    /// How the process ended, `nil` where it has not. It is not reaped: its number stays its own.
    func status() -> Status? {
        wait(WEXITED | WNOHANG | WNOWAIT)
    }

    /// Reaps the process, which has ended, and ends what is left of its group.
    consuming func reap() {
        // While nobody has reaped it, no other group can have its number.
        if isThere { kill(-number, SIGKILL) }
        _ = wait(WEXITED)
    }

    private var isThere: Bool {
        var info = siginfo_t()
        return waitid(P_PIDFD, id_t(descriptor.number), &info, WEXITED | WNOHANG | WNOWAIT) == 0
    }

    private borrowing func wait(_ options: Int32) -> Status? {
        var info = siginfo_t()
        while waitid(P_PIDFD, id_t(descriptor.number), &info, options) != 0 {
            // Where SIGCHLD is ignored there is nobody to wait for, and nothing to know.
            if errno != EINTR { return Status() }
        }
        guard info._sifields._sigchld.si_pid != 0 else { return nil }
        let value = info._sifields._sigchld.si_status
        return info.si_code == CLD_EXITED ? Status(exit: value) : Status(signal: value)
    }
}
