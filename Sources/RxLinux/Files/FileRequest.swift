/// A request for changes of files and directories.
public struct FileRequest: Sendable, Hashable {
    /// The method of finding changes.
    public enum Method: Sendable, Hashable {
        /// Reports by the kernel; polling of file systems whose changes it does not report: network file systems, FUSE,
        /// `/proc` and `/sys`.
        case automatic
        /// Polling.
        case polling
    }

    /// The files and directories.
    public var paths: [BytePath]
    /// Whether the subdirectories of a directory are watched as well.
    public var recursive: Bool
    /// The names or paths whose changes are emitted; if empty, all.
    public var include: [Glob]
    /// The names or paths whose changes are not emitted, and which are not searched.
    public var exclude: [Glob]
    /// The kinds of changes to emit.
    public var kinds: Set<FileChange.Kind>
    /// Whether files that exist at the beginning are emitted, as created.
    public var existing: Bool
    /// The time without further changes after which a file's changes are emitted, combined into one.
    ///
    /// Zero emits each change at once.
    public var settle: Duration
    /// The method of finding changes.
    public var method: Method
    /// The period of polling, for the paths that are polled.
    public var period: Duration

    /// Creates a request; by default for every kind but ``FileChange/Kind/attributes`` and ``FileChange/Kind/closed``.
    public init(
        _ paths: [BytePath], recursive: Bool = false, include: [Glob] = [], exclude: [Glob] = [],
        kinds: Set<FileChange.Kind> = [.created, .modified, .removed, .moved, .overflow], existing: Bool = false,
        settle: Duration = .zero, method: Method = .automatic, period: Duration = .seconds(5)
    ) {
        self.paths = paths
        self.recursive = recursive
        self.include = include
        self.exclude = exclude
        self.kinds = kinds
        self.existing = existing
        self.settle = settle
        self.method = method
        self.period = period
    }
}

extension FileRequest {
    /// Whether the state of a path that was watched for this request can serve another request.
    func isWatched(as other: FileRequest, at path: BytePath) -> Bool {
        paths.contains(path) && other.paths.contains(path) && recursive == other.recursive && exclude == other.exclude
            && method == other.method && (existing || !other.existing)
    }
}
