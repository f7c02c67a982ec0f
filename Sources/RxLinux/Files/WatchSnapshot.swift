import CLinux
import Glibc

// Unchecked: used on the watcher's queue alone.
/// A file that keeps what a watcher knows, so that it survives the process.
///
/// Whatever the process dies of, there is a whole snapshot in it: one is written beside the other, and the head says
/// which counts. The head also says whether the watcher has gone on since: with the first change after the snapshot was
/// written it becomes stale, which costs a write of four bytes.
final class WatchSnapshot: @unchecked Sendable {
    /// A snapshot as it was found.
    struct Found {
        let bytes: [UInt8]
        let isStale: Bool
        let place: UInt64
    }

    private struct Head {
        var magic: UInt64 = 0x0073_656C_6966_7872  // "rxfiles"
        /// Of what follows. Another is nobody's we know.
        var version: UInt32 = 2
        var isStale: UInt32 = 0
        var place: UInt64 = 0
        var length: UInt64 = 0
        var checksum: UInt64 = 0

        static let size = MemoryLayout<Head>.size
        static let stalePlace = off_t(12)
    }

    /// Where a snapshot may begin: far enough from each other for any.
    private static let places: [UInt64] = [4_096, 1 << 32]

    let file: Int32
    private var place: UInt64
    /// Whether the watcher knows more than the snapshot.
    private(set) var isStale = true

    /// A new one, in memory.
    init() throws(SystemError) {
        file = try Descriptor(rx_memory_file("rx.files"), "making a file in memory").apart().release()
        place = Self.places[1]
    }

    /// Goes on with one that was found in a file, which is duplicated.
    init(_ file: Int32, _ found: Found) throws(SystemError) {
        self.file = try Descriptor.duplicate(file).release()
        place = found.place
        isStale = found.isStale
    }

    deinit {
        close(file)
    }

    func markStale() {
        guard !isStale else { return }
        isStale = true
        var mark: UInt32 = 1
        pwrite(file, &mark, 4, Head.stalePlace)
    }

    func write(_ body: (inout SnapshotWriter) -> Void) throws(SystemError) {
        let next = Self.places.first { $0 != place } ?? Self.places[0]
        try Self.write(to: file, at: next, isStale: false, body)
        place = next
        isStale = false
        // The other one's memory, where it comes after this one's.
        if place == Self.places[0] { ftruncate(file, off_t(Self.places[1])) }
    }

    /// Writes a snapshot whose watches nobody keeps.
    static func write(copyTo file: Int32, _ body: (inout SnapshotWriter) -> Void) throws(SystemError) {
        try write(to: file, at: places[0], isStale: true, body)
    }

    private static func write(
        to file: Int32, at place: UInt64, isStale: Bool, _ body: (inout SnapshotWriter) -> Void
    ) throws(SystemError) {
        var writer = SnapshotWriter(file, from: place)
        body(&writer)
        try writer.finish()
        var head = Head()
        head.isStale = isStale ? 1 : 0
        (head.place, head.length, head.checksum) = (place, writer.length, writer.checksum.value)
        let count = withUnsafeBytes(of: head) { pwrite(file, $0.baseAddress, $0.count, 0) }
        guard count == Head.size else { throw SystemError.last("keeping a snapshot of what is watched") }
    }

    /// The snapshot in a file, if there is one, and whole.
    static func read(_ file: Int32) -> Found? {
        var head = Head()
        let expected = (head.magic, head.version)
        let count = withUnsafeMutableBytes(of: &head) { pread(file, $0.baseAddress, $0.count, 0) }
        var status = stat()
        guard count == Head.size, (head.magic, head.version) == expected, fstat(file, &status) == 0,
            head.place <= UInt64(Int64.max), head.length <= UInt64(max(0, status.st_size)),
            let bytes = read(file, Int(head.length), from: off_t(head.place))
        else { return nil }
        var checksum = TableChecksum()
        bytes.withUnsafeBytes { checksum.add($0) }
        guard checksum.value == head.checksum else { return nil }
        return Found(bytes: bytes, isStale: head.isStale != 0, place: head.place)
    }

    private static func read(_ file: Int32, _ length: Int, from place: off_t) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { bytes, initialized in
            initialized = 0
            while initialized < length {
                let rest = bytes.baseAddress.map { $0 + initialized }
                let count = pread(file, rest, length - initialized, place + off_t(initialized))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                initialized += count
            }
        }
        return bytes.count == length ? bytes : nil
    }
}
