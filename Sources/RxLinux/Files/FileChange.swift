/// A change of a file or a directory.
public struct FileChange: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The file was created.
        case created
        /// The file's content has changed: it was written, or another file replaced it.
        case modified
        /// The file was removed, or a directory with everything in it.
        case removed
        /// The file was renamed or moved, or a directory with everything in it.
        case moved
        /// The file's permissions, owner, times or extended attributes have changed.
        case attributes
        /// The kernel has lost events. The differences that a comparison finds follow, each of them
        /// ``FileChange/isSynthetic``.
        case overflow
        /// The file was closed after it was open for writing, whether it was written or not.
        case closed
    }

    /// The kind of the change.
    public let kind: Kind
    /// The path that has changed; for an overflow, the path of the request.
    public let path: BytePath
    /// The path before a move.
    ///
    /// If a file replaces another one under a watched name, the change is `modified`, and this is the path that the new
    /// file came from.
    public let from: BytePath?
    /// Whether the path is a directory.
    public let isDirectory: Bool
    /// Whether a comparison found the change, instead of an event of the kernel.
    public let isSynthetic: Bool
    /// Whether the file existed before the watch began, see ``FileRequest/existing``.
    public let isExisting: Bool
    /// The size of the file in bytes when the change is emitted; `nil` for a directory, and after a removal.
    public var size: Int64?
    /// The time of the last modification, in nanoseconds since 1970; `nil` after a removal.
    public var modified: Int64?

    /// Creates a change.
    public init(
        _ kind: Kind, _ path: BytePath, from: BytePath? = nil, isDirectory: Bool = false, isSynthetic: Bool = false,
        isExisting: Bool = false
    ) {
        self.kind = kind
        self.path = path
        self.from = from
        self.isDirectory = isDirectory
        self.isSynthetic = isSynthetic
        self.isExisting = isExisting
    }
}
