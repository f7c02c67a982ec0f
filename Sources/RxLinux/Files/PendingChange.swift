/// The changes of a path that are not emitted yet, combined into as few as possible.
struct PendingChange: Sendable {
    /// The file or directory that is at the path now.
    enum CurrentFile: Sendable, Hashable {
        case nothing
        /// The file that was there at the last emitted change.
        case same
        /// A file that was created since the last emitted change.
        case new
        /// A file that was moved here from another path.
        case from(BytePath)
    }

    let path: BytePath
    /// Whether a file existed at the path after the last emitted change, and whether it was a directory.
    private var before: (exists: Bool, isDirectory: Bool)
    private var current: CurrentFile
    /// Whether the file is a directory now or, if it was removed, was one.
    private var isDirectory: Bool
    private var isModified = false
    /// Whether the file was closed after the last modification.
    private var isClosed = false
    /// Whether the file was there when the watch began.
    private var isExisting = false
    /// Whether attributes of the file have changed, such as its owner or its mode.
    private var hasOtherAttributes = false
    /// Whether a change was found by reading directories, not reported by the kernel.
    private var isSynthetic = false
    /// The original paths of files that moved to this path and have left it since.
    private var gone: [(path: BytePath, isDirectory: Bool)] = []

    /// Creates a value without changes, with the state before the first one.
    init(before change: FileChange) {
        path = change.path
        let exists: Bool
        switch change.kind {
        case .created, .moved: exists = false
        case .modified, .removed, .attributes, .overflow, .closed: exists = true
        }
        before = (exists, change.isDirectory)
        current = exists ? .same : .nothing
        isDirectory = change.isDirectory
    }

    /// Creates the pending change of a path that a file has left, if that was not the file that was there before.
    private init(left path: BytePath, _ before: (exists: Bool, isDirectory: Bool)) {
        self.path = path
        self.before = before
        current = .nothing
        isDirectory = before.isDirectory
    }

    /// Adds a change of the path.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - source: the pending change of the path that the file came from.
    /// - Returns: the pending change of that path from now on.
    mutating func add(_ change: FileChange, source: PendingChange?) -> PendingChange? {
        isDirectory = change.isDirectory
        isSynthetic = isSynthetic || change.isSynthetic
        switch change.kind {
        case .attributes, .overflow: hasOtherAttributes = true
        case .closed: isClosed = true
        case .removed:
            leave()
        case .modified where change.from == nil: (isModified, isClosed) = (true, false)
        case .created:
            leave()
            current = .new
            isExisting = change.isExisting
        case .modified, .moved:
            guard let from = change.from else { break }
            leave()
            return arrive(from, source)
        }
        return nil
    }

    /// Records that the file at the path leaves it, or is removed.
    private mutating func leave() {
        if case .from(let origin) = current { gone.append((origin, isDirectory)) }
        current = .nothing
        (isModified, isClosed, isExisting) = (false, false, false)
    }

    private mutating func arrive(_ from: BytePath, _ source: PendingChange?) -> PendingChange? {
        guard let source else {
            current = .from(from)
            return nil
        }
        (isModified, isClosed) = (source.isModified, source.isClosed)
        gone += source.gone
        switch source.current {
        case .same: current = .from(from)
        case .from(let origin): current = .from(origin)
        case .new, .nothing: current = .new
        }
        // The file is back at its original path.
        if current == .from(path) { (current, before) = (.same, (true, isDirectory)) }
        // The file that left the source was there before, so the move describes that.
        if source.current == .same || !source.before.exists { return nil }
        return PendingChange(left: from, source.before)
    }

    /// The original paths of the files that are, or were, here. Other files may be at these paths now.
    var origins: [BytePath] {
        if case .from(let origin) = current { return gone.map(\.path) + [origin] }
        return gone.map(\.path)
    }

    /// Whether this removes a directory whose creation was emitted, or that existed from the beginning.
    var removesDirectory: Bool {
        before.exists && before.isDirectory && (current == .nothing || current != .same && !isDirectory)
    }

    /// Whether nothing is at the path now.
    var isGone: Bool { current == .nothing }

    /// Whether there is a new directory at the path.
    var isNewDirectory: Bool { current == .new && isDirectory }

    /// Treats a file that came from `origin` as new. The pending change of `origin` then emits the removal there.
    mutating func dropOrigin(_ origin: BytePath) {
        if current == .from(origin) { current = .new }
        gone.removeAll { $0.path == origin }
    }

    /// Treats the file that was here before as removed.
    mutating func replaceFile() {
        before = (true, false)
    }

    /// Returns the changes to emit if the files at these paths were exchanged with one another.
    func changes(among swapped: Set<BytePath>) -> [FileChange] {
        let kind: FileChange.Kind = current == .nothing ? .removed : .modified
        return gone.filter { !swapped.contains($0.path) }.map {
            FileChange(.removed, $0.path, isDirectory: $0.isDirectory)
        }
            + [FileChange(kind, path, isDirectory: isDirectory, isSynthetic: isSynthetic)]
            + (isClosed && kind != .removed ? [FileChange(.closed, path, isSynthetic: isSynthetic)] : [])
    }

    /// The changes to emit.
    var changes: [FileChange] {
        func change(_ kind: FileChange.Kind, from: BytePath? = nil) -> FileChange {
            FileChange(
                kind, path, from: from, isDirectory: isDirectory, isSynthetic: isSynthetic,
                isExisting: isExisting && kind == .created)
        }
        let removals = gone.map {
            FileChange(.removed, $0.path, isDirectory: $0.isDirectory, isSynthetic: isSynthetic)
        }
        let removal = FileChange(.removed, path, isDirectory: before.isDirectory, isSynthetic: isSynthetic)
        // A directory cannot replace a file, nor a file a directory: that is a removal and a creation.
        let isReplaced = before.exists && before.isDirectory == isDirectory
        let own: [FileChange]
        switch current {
        case .nothing: own = before.exists ? [removal] : []
        case .same: own = isModified ? [change(.modified)] : hasOtherAttributes ? [change(.attributes)] : []
        case .new where isReplaced: own = isDirectory ? [] : [change(.modified)]
        case .new: own = (before.exists ? [removal] : []) + [change(.created)]
        case .from(let origin) where isReplaced && !isDirectory: own = [change(.modified, from: origin)]
        case .from(let origin):
            own =
                (before.exists ? [removal] : []) + [change(.moved, from: origin)]
                + (isModified ? [change(.modified)] : [])
        }
        return removals + own + (isClosed && current != .nothing ? [change(.closed)] : [])
    }
}
