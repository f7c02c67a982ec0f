import Glibc

// Unchecked: used on its watcher's queue alone.
/// One path of a request: what is known of it, and what of its changes is told.
final class WatchedRoot: @unchecked Sendable {
    /// A directory whose other half, with its new name, has not come yet.
    struct Departure {
        let node: FileTree.Node
        let path: BytePath
        var since: ContinuousClock.Instant
        /// Whether something has happened in it meanwhile.
        var isStale = false
    }

    let path: BytePath
    let request: FileRequest
    /// What the watcher knows it by.
    let number: Int32
    unowned let core: FileWatcherCore
    /// What is told: where changes settle, all that others may follow from.
    private let kinds: Set<FileChange.Kind>
    /// Whoever wants to know.
    var tell: (FileChange) -> Void
    /// Whether whoever wants to know takes more changes.
    var hasRoom: () -> Bool = { true }
    /// Whether changes were left out because there was no room: a comparison finds them when there is.
    private(set) var isBehind = false

    /// `nil` where nothing is there.
    var tree: FileTree?
    /// What is there itself: of another, the tree is another's.
    var presence: Presence?
    /// Where the root is a file, which one.
    var fileIdentity: FileIdentity?
    /// The watches that tell when something else is there.
    var guards: [Int32: Set<[UInt8]>] = [:]
    /// By the cookie that their other half has.
    var departures: [UInt32: Departure] = [:]
    /// Directories that were looked into while the kernel had more to tell: by their paths, which may have become
    /// another directory's by then.
    var suspects: Set<FileTree.Node> = []
    /// Whether they are looked into again: everything that the kernel had to tell has been told.
    var isLookingInto = false
    /// Whether a directory has moved since.
    var hasMovedDirectory = false
    /// Files that are being written to, and since when nothing was told of it.
    var beingWritten: [FileTree.Node: ContinuousClock.Instant] = [:]
    /// Whether ``check()`` is due.
    var isDue = false
    /// Whether the file that the root is was written to.
    var wasWritten = false
    /// Why not everything is watched.
    var degradation: FileDegradation?
    /// The number of the error that somebody was told.
    var announced: Int32?
    /// Whether that was so in the process before.
    var wasDegraded = false
    /// What is mounted within, where others may change things without the kernel's knowing.
    var polledParts: Set<FileTree.Node> = []
    /// Directories within that may not be read: that they may is told by the ones that they are in.
    var unreadable: Set<FileTree.Node> = []
    /// When everything was looked at last, where that is done now and then.
    var lastLook: ContinuousClock.Instant?
    /// How changes are found where the kernel does not tell them.
    var look = FileSystemKind.watched

    init(
        _ path: BytePath, _ request: FileRequest, _ number: Int32, _ core: FileWatcherCore,
        _ tell: @escaping (FileChange) -> Void = { _ in }
    ) {
        self.path = path
        self.request = request
        kinds = request.kinds.union(request.settle > .zero ? [.created, .modified, .removed, .moved] : [])
        self.number = number
        self.core = core
        self.tell = tell
    }

    /// What stands at the root's path.
    struct Presence: Hashable {
        let device: UInt64
        let inode: UInt64
        let isDirectory: Bool
    }

    var isPolled: Bool { look != .watched || isBlind || !polledParts.isEmpty }

    /// Whether the kernel does not tell everything.
    var isBlind: Bool { degradation?.isLookedAt == true }

    // MARK: telling

    /// Whether a change is left to a later comparison. The tree stays as it is from the first such change on.
    func isHeldBack() -> Bool {
        if !isBehind, !hasRoom() { isBehind = true }
        return isBehind
    }

    /// There is room again: finds what was left out, or as much of it as there is room for.
    func goOn() {
        guard isBehind else { return }
        isBehind = false
        overflowed()
    }

    /// Tells a change if anyone wants to know of it.
    func emit(
        _ kind: FileChange.Kind, _ path: [UInt8], from: [UInt8]? = nil, isDirectory: Bool, isSynthetic: Bool = false
    ) {
        if !departures.isEmpty {
            settleDepartures(at: path)
            if let from { settleDepartures(at: from) }
        }
        switch (kind, from) {
        case (.moved, let from?):
            switch (isVisible(from), isVisible(path)) {
            case (true, true): send(.moved, path, from, isDirectory, isSynthetic)
            case (true, false): send(.removed, from, nil, isDirectory, isSynthetic)
            case (false, true): send(.created, path, nil, isDirectory, isSynthetic)
            case (false, false): break
            }
        case (.modified, let from?):
            // A file took this one's place.
            switch (isVisible(from), isVisible(path)) {
            case (true, true): send(.modified, path, from, isDirectory, isSynthetic)
            case (true, false): send(.removed, from, nil, isDirectory, isSynthetic)
            case (false, true): send(.modified, path, nil, isDirectory, isSynthetic)
            case (false, false): break
            }
        default: if isVisible(path) { send(kind, path, nil, isDirectory, isSynthetic) }
        }
    }

    /// Whether a node is on its way from one name to another.
    func departure(of path: [UInt8]) -> UInt32? {
        guard path.first == 0, path.count >= 5 else { return nil }
        return path.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: UInt32.self) }
    }

    private func send(
        _ kind: FileChange.Kind, _ path: [UInt8], _ from: [UInt8]?, _ isDirectory: Bool, _ isSynthetic: Bool
    ) {
        guard kinds.contains(kind) else { return }
        tell(
            FileChange(
                kind, whole(path), from: from.map(whole), isDirectory: isDirectory, isSynthetic: isSynthetic))
    }

    /// The whole path of one below the root.
    func whole(_ below: [UInt8]) -> BytePath {
        below.isEmpty ? path : path.appending(BytePath(bytes: below))
    }

    private func isVisible(_ below: [UInt8]) -> Bool {
        if request.include.isEmpty { return true }
        let name = below.isEmpty ? path.name.bytes : Array(below[((below.lastIndex(of: BytePath.slash) ?? -1) + 1)...])
        return request.include.contains { $0.matches(name: name) { below } }
    }

    /// Whether something called `name` in the directory of `node` is none of our business.
    func isExcluded(_ name: some Collection<UInt8>, in node: FileTree.Node) -> Bool {
        if request.exclude.isEmpty { return false }
        return request.exclude.contains {
            $0.matches(name: name) {
                let parent = tree?.path(of: node) ?? []
                return parent.isEmpty ? Array(name) : parent + [BytePath.slash] + name
            }
        }
    }

    /// Tells everything about a directory that has moved.
    func emitMove(of node: FileTree.Node, from old: [UInt8], to new: [UInt8]) {
        guard let tree else { return }
        emit(.moved, new, from: old, isDirectory: tree.isDirectory(node))
        // Where all is told, the directory's move says it of everything in it.
        guard !request.include.isEmpty, tree.isDirectory(node) else { return }
        for member in tree.subtree(of: node).dropFirst() {
            let path = tree.path(of: member)
            emit(.moved, path, from: old + path.dropFirst(new.count), isDirectory: tree.isDirectory(member))
        }
    }

    /// Forgets a node and everything below it.
    func removeAll(below node: FileTree.Node, telling: Bool, isSynthetic: Bool, as path: [UInt8]? = nil) {
        // No copy of the tree is held on to: changing it would copy all of it.
        let ownPath = tree?.path(of: node) ?? []
        for member in (tree?.subtree(of: node) ?? []).reversed() {
            if telling, tree?.isInUse(member) == true {
                let memberPath = tree?.path(of: member) ?? []
                let shown = path.map { $0 + memberPath.dropFirst(ownPath.count) } ?? memberPath
                emit(.removed, shown, isDirectory: tree?.isDirectory(member) ?? false, isSynthetic: isSynthetic)
            }
            // Telling of one may have settled that another is gone.
            guard tree?.isInUse(member) == true else { continue }
            core.unwatch(tree?.watch(of: member) ?? -1, number, member)
            beingWritten[member] = nil
            suspects.remove(member)
            polledParts.remove(member)
            unreadable.remove(member)
            if member != FileTree.root { tree?.remove(member) }
        }
    }
}
