import RxLinux
import RxPipelines

extension MemoryBudget {
    /// Three eighths of the memory limit of the unit. The evaluators have as much, and everything else the last
    /// quarter.
    static let ofDaemon = MemoryBudget(limit: (MemoryLimit.byteCount() ?? defaultLimit) / 8 * 3)

    /// `MemoryMax=` of the shipped unit, for a daemon without a limit.
    private static let defaultLimit = 512 << 20
}
