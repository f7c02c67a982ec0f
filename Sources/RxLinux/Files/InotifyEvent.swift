import Glibc

/// An event of the kernel about a watched directory or an entry of it.
public struct InotifyEvent: Hashable, Sendable {
    /// The number of the watch; -1 if events were lost.
    public let watch: Int32
    /// The kind of the event, as bits such as `IN_CLOSE_WRITE`.
    public let mask: UInt32
    /// A number that the two halves of a move share.
    public let cookie: UInt32
    /// The name of the entry; empty for the directory itself.
    public let name: [UInt8]

    /// Whether the mask has a flag, such as `IN_DELETE`.
    public func has(_ flag: some BinaryInteger) -> Bool { mask & UInt32(flag) != 0 }

    /// Whether the entry is a directory.
    public var isDirectory: Bool { has(IN_ISDIR) }

    /// Decodes the bytes read from an inotify descriptor, and calls `body` with each event. Any bytes are safe: each
    /// belongs to at most one event, and a truncated event at the end is left out.
    static func decode(_ bytes: UnsafeRawBufferPointer, _ body: (InotifyEvent) -> Void) {
        let headSize = MemoryLayout<inotify_event>.size
        var offset = 0
        while bytes.count - offset >= headSize {
            let head = { (place: Int) in bytes.loadUnaligned(fromByteOffset: offset + place, as: UInt32.self) }
            let length = Int(head(12))
            guard bytes.count - offset - headSize >= length else { return }
            let name = bytes[(offset + headSize)..<(offset + headSize + length)].prefix { $0 != 0 }
            body(
                InotifyEvent(
                    watch: Int32(bitPattern: head(0)), mask: head(4), cookie: head(8), name: Array(name)))
            offset += headSize + length
        }
    }
}
