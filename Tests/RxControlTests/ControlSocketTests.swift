import Glibc
import RxControl
import TestSupport
import Testing

struct ControlSocketTests {
    /// Only sockets of processes that are alive count, and nothing else in the directory.
    @Test func socketsOfLivingProcessesAreFound() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryDirectory()
            setenv("XDG_RUNTIME_DIR", folder.path, 1)
            #expect(ControlSocket.ofProcesses == [])
            let own = ControlSocket.ofProcess(getpid())
            #expect(own == folder("rxwatchd-\(getpid()).control"))
            for name in [
                "rxwatchd-\(getpid()).control", "rxwatchd-1.control", "rxwatchd-2147483647.control",
                "rxwatchd-x.control", "rxwatchd-.control", "other-1.control", "rxwatchd-1.conf",
            ] { folder.write(name, "") }
            #expect(Set(ControlSocket.ofProcesses) == [own ?? "", folder("rxwatchd-1.control")])
            #expect(ControlSocket.ofEndedProcesses == [folder("rxwatchd-2147483647.control")])
        }
    }

    @Test func userWithoutDirectoryHasNoSocket() async {
        await #expect(processExitsWith: .success) {
            unsetenv("XDG_RUNTIME_DIR")
            #expect(ControlSocket.ofProcess(7) == (geteuid() == 0 ? "/run/rxwatchd-7.control" : nil))
            setenv("XDG_RUNTIME_DIR", "/nonexistent/rx", 1)
            #expect(ControlSocket.ofProcesses == [])
        }
    }
}
