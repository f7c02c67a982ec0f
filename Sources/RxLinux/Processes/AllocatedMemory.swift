import CLinux

/// The memory that this process has allocated.
public enum AllocatedMemory {
    /// The number of bytes that `malloc` has allocated and that are not freed.
    public static var byteCount: Int {
        let statistics = mallinfo2()
        return statistics.uordblks + statistics.hblkhd
    }
}
