import FoundationEssentials
import Glibc
import RxEngine

extension Command {
    /// The variables through which the service manager addresses this process only: a command that had them could send
    /// notifications in its name, or use its descriptors.
    ///
    /// Commands inherit `INVOCATION_ID`, which only names the run of the unit, and `CREDENTIALS_DIRECTORY`, whose files
    /// they may read as this process may.
    static let privateVariables: Set<String> = [
        "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "FDSTORE",
        "JOURNAL_STREAM", "MAINPID", "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE",
    ]

    /// The environment of commands.
    ///
    /// It is that of this process with the variables that it has hidden, and without those that the service manager
    /// sets for this process only.
    public static var inheritedEnvironment: [String: String] {
        ProcessInfo.processInfo.environment.filter { !privateVariables.contains($0.key) }
            .merging(hidden.withLock { $0 }.map { ($0.key, String(decoding: $0.value, as: UTF8.self)) }) { own, _ in own
            }
    }

    /// The variables that this process has hidden, with the bytes of their values.
    static let hidden = Locked<[String: [UInt8]]>([:])

    /// Removes a variable from the environment of this process, in which a library would read it.
    ///
    /// Commands get it all the same. Call this before the process has a second thread.
    public static func hide(_ name: String) {
        guard let value = getenv(name) else { return }
        hidden.withLock { $0[name] = Array(UnsafeRawBufferPointer(start: value, count: strlen(value))) }
        unsetenv(name)
    }
}
