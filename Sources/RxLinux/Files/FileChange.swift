/// Something that has happened to a file or a directory.
public struct FileChange: Sendable, Hashable {
    /// What has.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// It is there now, and was not.
        case created
        /// Its content is another: it was written, or another file took its place.
        case modified
        /// It is gone, and whatever was in it.
        case removed
        /// It has another name or another place, and so has whatever is in it.
        case moved
        /// Its permissions, owner, times or extended attributes are others.
        case attributes
        /// The kernel has lost what happened meanwhile. The differences that were found follow, all of them
        /// ``FileChange/isSynthetic``.
        case overflow
    }

    /// What has happened.
    public let kind: Kind
    /// What it has happened to; where everything watched is concerned, the root.
    public let path: BytePath
    /// What it was called before. Where a file takes another's place under a watched name, the change is `modified` and
    /// this says where the file came from.
    public let from: BytePath?
    /// Whether it is a directory.
    public let isDirectory: Bool
    /// Whether this was found by looking, not told by the kernel.
    public let isSynthetic: Bool

    /// A change.
    public init(
        _ kind: Kind, _ path: BytePath, from: BytePath? = nil, isDirectory: Bool = false, isSynthetic: Bool = false
    ) {
        self.kind = kind
        self.path = path
        self.from = from
        self.isDirectory = isDirectory
        self.isSynthetic = isSynthetic
    }
}
