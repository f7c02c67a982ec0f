import CLinux
import Glibc

/// What a process has in memory.
public enum ResidentMemory {
    /// Has all threads take their memory from two heaps, instead of each from one of its own as long as there are few
    /// threads. What passes from thread to thread leaves holes in the heap that it came from, and few heaps have few.
    /// Called before there are threads.
    public static func shareHeaps() {
        mallopt(Int32(rx_arena_max), 2)
    }

    /// Lets go of the code and constants that are mapped from files, and of heap that nobody uses. What is needed again
    /// comes from the page cache, a fault at a time.
    ///
    /// A program that starts runs through much that it never comes back to: reading its configuration, binding its
    /// libraries. Called once it runs, this leaves in memory what it runs on.
    public static func release() {
        malloc_trim(0)
        guard let file = fopen("/proc/self/smaps", "re") else { return }
        defer { fclose(file) }
        var mapping: UnsafeRawBufferPointer?
        var buffer = [CChar](repeating: 0, count: 8192)
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let found = Mapping(line) {
                mapping = found.bytes
            } else if line.hasPrefix("Anonymous:"), let bytes = mapping {
                mapping = nil
                // What has pages of its own was written to once, though nobody may write to it now.
                let isAsInTheFile = line.split(separator: " ").dropFirst().first == "0"
                if isAsInTheFile, let address = UnsafeMutableRawPointer(mutating: bytes.baseAddress) {
                    madvise(address, bytes.count, MADV_DONTNEED)
                }
            }
        }
    }

    /// A line of smaps that begins a mapping.
    private struct Mapping {
        /// Where it is, if it is of a file and may not be written to.
        let bytes: UnsafeRawBufferPointer?

        init?(_ line: String) {
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count >= 5, let dash = fields[0].firstIndex(of: "-"),
                let start = UInt(fields[0][..<dash], radix: 16),
                let end = UInt(fields[0][fields[0].index(after: dash)...], radix: 16)
            else { return nil }
            let isOfFile = fields.count == 6 && fields[5].drop { $0 == " " }.hasPrefix("/")
            let isConstant = fields[1].hasPrefix("r-") && fields[1].hasSuffix("p")
            bytes =
                isOfFile && isConstant
                ? UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: start), count: Int(end - start)) : nil
        }
    }
}
