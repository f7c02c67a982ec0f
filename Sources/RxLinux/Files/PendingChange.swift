/// What has become of a path since somebody was last told of it: several changes, as few as say the same.
struct PendingChange: Sendable {
    /// What is there now.
    enum Occupant: Sendable, Hashable {
        case nothing
        /// What was there before.
        case same
        case new
        /// What was there before under another name.
        case from(BytePath)
    }

    let path: BytePath
    /// Whether something was there when somebody was told last, and if so, whether it was a directory.
    private var before: (isThere: Bool, isDirectory: Bool)
    private var occupant: Occupant
    private var isDirectory: Bool
    private var isModified = false
    private var hasOtherAttributes = false
    private var isSynthetic = false
    /// Where things came from that have gone from here since.
    private var gone: [(path: BytePath, isDirectory: Bool)] = []

    /// Nothing so far, before the first change of a path.
    init(before change: FileChange) {
        path = change.path
        let isThere: Bool
        switch change.kind {
        case .created, .moved: isThere = false
        case .modified, .removed, .attributes, .overflow: isThere = true
        }
        before = (isThere, change.isDirectory)
        occupant = isThere ? .same : .nothing
        isDirectory = change.isDirectory
    }

    /// A path that something has left that came after what was there before.
    private init(left path: BytePath, _ before: (isThere: Bool, isDirectory: Bool)) {
        self.path = path
        self.before = before
        occupant = .nothing
        isDirectory = before.isDirectory
    }

    /// Adds a change of the path.
    ///
    /// - Parameter source: what has become of the path that it came from.
    /// - Returns: what is to be told of that path from now on.
    mutating func add(_ change: FileChange, source: PendingChange?) -> PendingChange? {
        isDirectory = change.isDirectory
        isSynthetic = isSynthetic || change.isSynthetic
        switch change.kind {
        case .attributes, .overflow: hasOtherAttributes = true
        case .removed:
            leave()
        case .modified where change.from == nil: isModified = true
        case .created:
            leave()
            occupant = .new
        case .modified, .moved:
            guard let from = change.from else { break }
            leave()
            return arrive(from, source)
        }
        return nil
    }

    /// What is here goes, or is no more.
    private mutating func leave() {
        if case .from(let origin) = occupant { gone.append((origin, isDirectory)) }
        occupant = .nothing
        isModified = false
    }

    private mutating func arrive(_ from: BytePath, _ source: PendingChange?) -> PendingChange? {
        guard let source else {
            occupant = .from(from)
            return nil
        }
        isModified = source.isModified
        gone += source.gone
        switch source.occupant {
        case .same: occupant = .from(from)
        case .from(let origin): occupant = .from(origin)
        case .new, .nothing: occupant = .new
        }
        // Back where it was.
        if occupant == .from(path) { (occupant, before) = (.same, (true, isDirectory)) }
        // What left there was there before: its move says so.
        if source.occupant == .same || !source.before.isThere { return nil }
        return PendingChange(left: from, source.before)
    }

    /// The paths that things came from: others may be there now.
    var origins: [BytePath] {
        if case .from(let origin) = occupant { return gone.map(\.path) + [origin] }
        return gone.map(\.path)
    }

    /// Whether a directory that somebody was told of is no more.
    var removesDirectory: Bool {
        before.isThere && before.isDirectory && (occupant == .nothing || occupant != .same && !isDirectory)
    }

    /// What there is to tell where what was at these paths is at others of them now.
    func changes(among swapped: Set<BytePath>) -> [FileChange] {
        let kind: FileChange.Kind = occupant == .nothing ? .removed : .modified
        return gone.filter { !swapped.contains($0.path) }.map {
            FileChange(.removed, $0.path, isDirectory: $0.isDirectory)
        }
            + [FileChange(kind, path, isDirectory: isDirectory, isSynthetic: isSynthetic)]
    }

    /// What there is to tell.
    var changes: [FileChange] {
        func change(_ kind: FileChange.Kind, from: BytePath? = nil) -> FileChange {
            FileChange(kind, path, from: from, isDirectory: isDirectory, isSynthetic: isSynthetic)
        }
        let departures = gone.map {
            FileChange(.removed, $0.path, isDirectory: $0.isDirectory, isSynthetic: isSynthetic)
        }
        let removal = FileChange(.removed, path, isDirectory: before.isDirectory, isSynthetic: isSynthetic)
        // A directory does not take a file's place, nor the other way round.
        let isReplaced = before.isThere && before.isDirectory == isDirectory
        let own: [FileChange]
        switch occupant {
        case .nothing: own = before.isThere ? [removal] : []
        case .same: own = isModified ? [change(.modified)] : hasOtherAttributes ? [change(.attributes)] : []
        case .new where isReplaced: own = isDirectory ? [] : [change(.modified)]
        case .new: own = (before.isThere ? [removal] : []) + [change(.created)]
        case .from(let origin) where isReplaced && !isDirectory: own = [change(.modified, from: origin)]
        case .from(let origin):
            own =
                (before.isThere ? [removal] : []) + [change(.moved, from: origin)]
                + (isModified ? [change(.modified)] : [])
        }
        return departures + own
    }
}
