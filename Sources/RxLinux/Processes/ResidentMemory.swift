import CLinux
import Glibc

/// Reduces the resident memory of this process.
public enum ResidentMemory {
    /// The size from which a block of memory has a mapping of its own, in bytes: what glibc begins with.
    private static let ownMapping: Int32 = 128 << 10

    /// Makes all threads share two `malloc` heaps, and gives each large block a mapping of its own.
    ///
    /// By default, each of the first threads gets a heap of its own. Memory that moves between threads fragments the heap
    /// that it came from; fewer heaps have less fragmentation.
    ///
    /// Large values come and go in any order: in a heap, each leaves a hole that a larger one does not fit into, and the
    /// process becomes twice as large as what it has allocated. By default, the first large block that is freed moves
    /// those that follow into the heaps. Call this before the process has a second thread.
    public static func limitFragmentation() {
        mallopt(Int32(rx_arena_max), 2)
        mallopt(Int32(rx_mmap_threshold), ownMapping)
    }

    /// Releases unused heap, and unmodified pages of code and constants that are mapped from files.
    ///
    /// A released page that is needed again is read from the page cache, with one page fault for each.
    ///
    /// A program that starts executes code that it never needs again, such as parsing its configuration and binding its
    /// libraries. Call this when the program has started, so that only the pages that it uses become resident again.
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
                // Anonymous pages mean that the mapping was modified before it became read-only; the file has not got
                // these changes.
                let isAsInTheFile = line.split(separator: " ").dropFirst().first == "0"
                if isAsInTheFile, let address = UnsafeMutableRawPointer(mutating: bytes.baseAddress) {
                    madvise(address, bytes.count, MADV_DONTNEED)
                }
            }
        }
    }

    /// The first line of a mapping in `smaps`.
    private struct Mapping {
        /// The mapping's addresses if it is a read-only mapping of a file; otherwise `nil`.
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
