import CLinux
import Glibc
import Testing

@Suite struct CLinuxTests {
    @Test func recordHasKernelLayout() {
        #expect(MemoryLayout<signalfd_siginfo>.size == 128)
        #expect(MemoryLayout<signalfd_siginfo>.offset(of: \.ssi_pid) == 12)
    }

    @Test func blockedSignalIsReadFromDescriptor() throws {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGURG)
        var before = sigset_t()
        try #require(pthread_sigmask(SIG_BLOCK, &signals, &before) == 0)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let descriptor = signalfd(-1, &signals, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)

        var info = signalfd_siginfo()
        #expect(read(descriptor, &info, 128) == -1)
        #expect(errno == EAGAIN)
        // To this thread alone, so that no other can receive it.
        #expect(pthread_kill(pthread_self(), SIGURG) == 0)
        #expect(read(descriptor, &info, 128) == 128)
        #expect(info.ssi_signo == UInt32(SIGURG))
        #expect(info.ssi_pid == UInt32(getpid()))
    }
}
