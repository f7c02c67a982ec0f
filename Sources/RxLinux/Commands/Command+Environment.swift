import FoundationEssentials

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

    /// The environment of this process without the variables that the service manager sets for this process only.
    public static var inheritedEnvironment: [String: String] {
        ProcessInfo.processInfo.environment.filter { !privateVariables.contains($0.key) }
    }
}
