import RxLinux
import RxPipelines

extension MemoryBudget {
    /// Three eighths of the memory limit of the unit. The evaluators have as much, and everything else the last
    /// quarter.
    static let ofDaemon = MemoryBudget(limit: MemoryLimit.ofUnit / 8 * 3)
}

extension MemoryLimit {
    /// The memory limit of the unit, or `MemoryMax=` of the shipped one for a daemon without a limit.
    static let ofUnit = byteCount() ?? 512 << 20
}
