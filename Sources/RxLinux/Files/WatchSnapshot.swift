import CLinux
import Glibc

// Unchecked: used only on the watcher's queue.
/// A file with a watcher's state, which survives the process.
///
/// The file has a complete snapshot at every moment, however the process dies: two snapshots are written alternately at
/// two offsets, and the head refers to the valid one. The head also records whether the watcher's state has changed
/// since: the first change after the snapshot was written marks it as stale, which costs a write of four bytes.
final class WatchSnapshot: @unchecked Sendable {
    /// A snapshot that was read from a file.
    struct StoredSnapshot {
        let bytes: [UInt8]
        let isStale: Bool
        let offset: UInt64
    }

    /// The header at the start of a stored snapshot.
    private struct Header {
        var magic: UInt64 = 0x0073_656C_6966_7872  // "rxfiles"
        /// The version of the format.
        var version: UInt32 = 3
        var isStale: UInt32 = 0
        var offset: UInt64 = 0
        var length: UInt64 = 0
        var checksum: UInt64 = 0

        static let size = MemoryLayout<Header>.size
        static let staleOffset = off_t(12)
    }

    /// The two offsets of snapshots, so far apart that no snapshot reaches the other.
    private static let offsets: [UInt64] = [4_096, 1 << 32]

    let file: Int32
    private var offset: UInt64
    /// Whether the watcher's state has changed since the snapshot was written.
    private(set) var isStale = true

    /// Creates a file in memory, without a snapshot.
    init() throws(SystemError) {
        file = try Descriptor(rx_memory_file("rx.files"), "making a file in memory").apart().release()
        offset = Self.offsets[1]
    }

    /// Continues with a snapshot that was read from a file, whose descriptor is duplicated.
    init(_ file: Int32, _ found: StoredSnapshot) throws(SystemError) {
        self.file = try Descriptor.duplicate(file).release()
        offset = found.offset
        isStale = found.isStale
    }

    deinit {
        close(file)
    }

    func markStale() {
        guard !isStale else { return }
        isStale = true
        var mark: UInt32 = 1
        pwrite(file, &mark, 4, Header.staleOffset)
    }

    func write(_ body: (inout WatchSnapshotWriter) -> Void) throws(SystemError) {
        let next = Self.offsets.first { $0 != offset } ?? Self.offsets[0]
        try Self.write(to: file, at: next, isStale: false, body)
        offset = next
        isStale = false
        // Free the memory of the other snapshot, if it is after this one.
        if offset == Self.offsets[0] { ftruncate(file, off_t(Self.offsets[1])) }
    }

    /// Writes a snapshot to be saved, which is stale since it is stored without the queue of its watches.
    static func write(copyTo file: Int32, _ body: (inout WatchSnapshotWriter) -> Void) throws(SystemError) {
        try write(to: file, at: offsets[0], isStale: true, body)
    }

    private static func write(
        to file: Int32, at offset: UInt64, isStale: Bool, _ body: (inout WatchSnapshotWriter) -> Void
    ) throws(SystemError) {
        var writer = WatchSnapshotWriter(file, from: offset)
        body(&writer)
        try writer.finish()
        var head = Header()
        head.isStale = isStale ? 1 : 0
        (head.offset, head.length, head.checksum) = (offset, writer.length, writer.checksum.value)
        let count = withUnsafeBytes(of: head) { pwrite(file, $0.baseAddress, $0.count, 0) }
        guard count == Header.size else { throw SystemError.last("writing the snapshot of watched files") }
    }

    /// Reads the snapshot in a file; `nil` if there is none, or an incomplete one.
    static func read(_ file: Int32, atMost maximumBytes: UInt64 = maximumBytes) -> StoredSnapshot? {
        var head = Header()
        let expected = (head.magic, head.version)
        let count = withUnsafeMutableBytes(of: &head) { pread(file, $0.baseAddress, $0.count, 0) }
        var status = stat()
        guard count == Header.size, (head.magic, head.version) == expected, fstat(file, &status) == 0,
            head.offset <= UInt64(Int64.max), head.length <= UInt64(max(0, status.st_size)),
            head.length <= maximumBytes,
            // Check the sum in pieces before allocating: a sparse file may claim to be larger than the memory.
            checksum(of: file, Int(head.length), from: off_t(head.offset)) == head.checksum,
            let bytes = read(file, Int(head.length), from: off_t(head.offset))
        else { return nil }
        var checksum = WatchSnapshotChecksum()
        bytes.withUnsafeBytes { checksum.add($0) }
        guard checksum.value == head.checksum else { return nil }
        return StoredSnapshot(bytes: bytes, isStale: head.isStale != 0, offset: head.offset)
    }

    /// The most bytes of a snapshot: an eighth of the memory limit of the process, and at most enough for some three
    /// million files.
    static let maximumBytes = UInt64(min(256 << 20, MemoryLimit.byteCount().map { $0 / 8 } ?? .max))

    private static func checksum(of file: Int32, _ length: Int, from offset: off_t) -> UInt64? {
        var checksum = WatchSnapshotChecksum()
        var done = 0
        while done < length {
            let part = min(length - done, 1 << 16)
            guard let bytes = read(file, part, from: offset + off_t(done)) else { return nil }
            bytes.withUnsafeBytes { checksum.add($0) }
            done += part
        }
        return checksum.value
    }

    private static func read(_ file: Int32, _ length: Int, from offset: off_t) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { bytes, initialized in
            initialized = 0
            while initialized < length {
                let rest = bytes.baseAddress.map { $0 + initialized }
                let count = pread(file, rest, length - initialized, offset + off_t(initialized))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                initialized += count
            }
        }
        return bytes.count == length ? bytes : nil
    }
}
