/// Which changes somebody wants to be told.
public struct FileRequest: Sendable, Hashable {
    /// How changes are found out.
    public enum Method: Sendable, Hashable {
        /// The kernel tells them, but for file systems where it does not know: network ones, FUSE, `/proc` and `/sys`.
        case automatic
        /// By looking now and then.
        case polling
    }

    /// The files and directories.
    public var paths: [BytePath]
    /// Whether directories in a directory are watched as well.
    public var recursive: Bool
    /// Of which names or paths changes are told; all, where none is given.
    public var include: [Glob]
    /// Names or paths of which nothing is told, and that are not looked into.
    public var exclude: [Glob]
    /// What is told.
    public var kinds: Set<FileChange.Kind>
    /// For how long nothing must have happened to a file before it is told, as one change. None tells everything at
    /// once.
    public var settle: Duration
    /// How changes are found out.
    public var method: Method
    /// How often is looked, where that has to be.
    public var period: Duration

    /// A request; what is left out is as people mostly want it: every kind but ``FileChange/Kind/attributes``.
    public init(
        _ paths: [BytePath], recursive: Bool = false, include: [Glob] = [], exclude: [Glob] = [],
        kinds: Set<FileChange.Kind> = [.created, .modified, .removed, .moved, .overflow], settle: Duration = .zero,
        method: Method = .automatic, period: Duration = .seconds(5)
    ) {
        self.paths = paths
        self.recursive = recursive
        self.include = include
        self.exclude = exclude
        self.kinds = kinds
        self.settle = settle
        self.method = method
        self.period = period
    }
}
