import Glibc

// Unchecked: used only on its watcher's queue.
/// One path of a request, with its tree, which emits the changes below it.
final class WatchedRoot: @unchecked Sendable {
    /// The first half of a move, until the event with the new name arrives.
    struct UnpairedMove {
        let node: FileTree.Node
        let path: BytePath
        var since: SuspendingClock.Instant
        /// The position in the order of first halves.
        var order = 0
        /// Whether there were events in the moved directory meanwhile.
        var isStale = false
    }

    let path: BytePath
    private(set) var request: FileRequest
    /// The number of the root in the watcher.
    let number: Int32
    unowned let core: FileWatcherCore
    /// The kinds to emit; if changes settle, also those that combine to others.
    private var kinds: Set<FileChange.Kind> = []
    /// Called with each change.
    var onChange: (FileChange) -> Void
    /// Called with each notice.
    var onNotice: (FileNotice) -> Void = { _ in }
    /// Whether the run has room for more changes.
    var hasRoom: () -> Bool = { true }
    /// Whether changes were skipped because there was no room. A comparison finds them later.
    private(set) var isBehind = false

    /// The tree; `nil` if there is no directory at the path.
    var tree: FileTree? {
        // Without `oldValue`, which would copy the tree for each change.
        didSet { memory.setUnconditionally(tree?.memory ?? 0) }
    }
    /// The memory of the tree, as a part of the watcher's quota.
    private(set) var memory: MemoryQuota.Reservation
    /// The file or directory at the path, to which the tree belongs; `nil` if there is none.
    var rootFile: RootFile?
    /// The identity of the root if it is a file.
    var fileIdentity: FileIdentity?
    /// The watches of the directories that lead to the root, with the names in them that lead there.
    var ancestorWatches: [Int32: Set<[UInt8]>] = [:]
    /// Whether these watches report writes, which is so if the root is a file.
    var ancestorsReportWrites = false
    /// The first halves of moves by the events' cookies.
    var unpairedMoves: [UInt32: UnpairedMove] = [:]
    /// The ``UnpairedMove/order`` of the latest first half.
    var lastUnpairedMove = 0
    /// The move that is being emitted, before which no later one is emitted.
    var moveBeingEmitted: UnpairedMove?
    /// Directories that were walked while the kernel's queue was not empty, by paths that may have belonged to another
    /// directory by then.
    var walkedEarly: Set<FileTree.Node> = []
    /// Whether a directory has moved since the kernel's queue was empty.
    var hasMovedDirectory = false
    /// The files with writes that are not emitted, and the time of the first of these writes.
    var beingWritten: [FileTree.Node: SuspendingClock.Instant] = [:]
    /// The files that a comparison found and that may still be open for writing, and the time of their latest change.
    /// Only if the request has ``FileChange/Kind/closed``.
    var possiblyOpen: [FileTree.Node: SuspendingClock.Instant] = [:]
    var walkKind = WalkKind.comparison
    /// Whether ``check()`` is due.
    var isDue = false
    /// The writes to the root, if it is a file, since the last ``check()``.
    var rootWrites: RootWrites = []
    /// The reason for which the path is not fully watched; `nil` if it is.
    var degradation: FileDegradation?
    /// The number of the error that was reported.
    var reportedError: Int32?
    /// Whether the path was not fully watched in the previous process, or was watched by another core.
    var wasDegraded = false
    /// The mount points below the root that are polled, since the kernel does not report all changes.
    var polledParts: Set<FileTree.Node> = []
    /// The directories below the root that cannot be read. An event of the parent reports when they can.
    var unreadable: Set<FileTree.Node> = []
    /// Whether the tree lacks files, since the trees have as many as the memory allows.
    var isFull = false
    /// The directories in which a link was created, moved or removed: other links there may lead through it. Checked after
    /// a block of events, once each, since each check examines all links of the directory.
    var directoriesOfLinks: Set<FileTree.Node> = []
    /// The time of the latest poll.
    var lastPoll: SuspendingClock.Instant?
    /// The kind of the root's file system, or `polled` if the request says so.
    var detection = FileSystemKind.watched

    init(
        _ path: BytePath, _ request: FileRequest, _ number: Int32, _ core: FileWatcherCore,
        _ onChange: @escaping (FileChange) -> Void = { _ in }
    ) {
        self.path = path
        self.request = request
        self.number = number
        self.core = core
        self.onChange = onChange
        memory = core.quota.reservation()
        adopt(request)
    }

    /// Sets the request, or replaces it by another one that watches in the same way.
    func adopt(_ request: FileRequest) {
        self.request = request
        kinds = request.kinds.union(request.settle > .zero ? [.created, .modified, .removed, .moved] : [])
    }

    /// Moves the tree of another root to this one, with the memory that is taken for it.
    func takeTree(of other: WatchedRoot) {
        swap(&memory, &other.memory)
        tree = other.tree
        other.tree = nil
        tree?.forgetWatches()
    }

    /// Whether the request has ``FileChange/Kind/closed``.
    var reportsClosing: Bool { kinds.contains(.closed) }

    /// The kinds of walks through the directories of the root.
    enum WalkKind {
        /// The first walk, whose files existed before the watch.
        case first
        /// A walk that compares the directories with the tree.
        case comparison
        /// A walk through the directories in ``walkedEarly``, with the kernel's queue empty.
        case repetition
    }

    /// The writes of programs to the root, if it is a file.
    struct RootWrites: OptionSet {
        let rawValue: UInt8

        static let written = RootWrites(rawValue: 1)
        static let closed = RootWrites(rawValue: 2)
    }

    /// The file or directory at the root's path.
    struct RootFile: Hashable {
        let device: UInt64
        let inode: UInt64
        let isDirectory: Bool
    }

    var isPolled: Bool { detection != .watched || isUnwatchable || !polledParts.isEmpty }

    /// Whether the root is polled because the kernel cannot watch it.
    var isUnwatchable: Bool { degradation?.isPolled == true }

    // MARK: emitting

    /// Whether the current change is skipped, for lack of room. From the first skipped change on, the tree does not
    /// change any more, so that a later comparison finds the skipped changes.
    func isSkippingChanges() -> Bool {
        if !isBehind, !hasRoom() { isBehind = true }
        return isBehind
    }

    /// Emits the differences since changes were skipped, as far as there is room.
    func compareSkipped() {
        guard isBehind else { return }
        isBehind = false
        overflowed()
    }

    /// Emits a change if the request selects it.
    func emit(
        _ kind: FileChange.Kind, _ path: [UInt8], from: [UInt8]? = nil, isDirectory: Bool, isSynthetic: Bool = false
    ) {
        if !unpairedMoves.isEmpty {
            emitRemovals(at: path, leftBefore: kind == .removed ? moveBeingEmitted?.order : nil)
            if let from { emitRemovals(at: from, leftBefore: moveBeingEmitted?.order) }
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
            // Another file has replaced the file at the path.
            switch (isVisible(from), isVisible(path)) {
            case (true, true): send(.modified, path, from, isDirectory, isSynthetic)
            case (true, false): send(.removed, from, nil, isDirectory, isSynthetic)
            case (false, true): send(.modified, path, nil, isDirectory, isSynthetic)
            case (false, false): break
            }
        default: if isVisible(path) { send(kind, path, nil, isDirectory, isSynthetic) }
        }
    }

    /// Returns the cookie in the temporary path of a node that is being moved; otherwise `nil`.
    func moveCookie(in path: [UInt8]) -> UInt32? {
        guard path.first == 0, path.count >= 5 else { return nil }
        return path.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: UInt32.self) }
    }

    private func send(
        _ kind: FileChange.Kind, _ path: [UInt8], _ from: [UInt8]?, _ isDirectory: Bool, _ isSynthetic: Bool
    ) {
        guard kinds.contains(kind) else { return }
        onChange(
            FileChange(
                kind, whole(path), from: from.map(whole), isDirectory: isDirectory, isSynthetic: isSynthetic,
                isExisting: walkKind == .first && kind == .created))
    }

    /// Returns the full path of a path below the root.
    func whole(_ below: [UInt8]) -> BytePath {
        below.isEmpty ? path : path.appending(BytePath(bytes: below))
    }

    /// Whether the request selects changes of this path.
    func wants(_ path: BytePath) -> Bool {
        guard path != self.path else { return isVisible([]) }
        let prefix = self.path == "/" ? [BytePath.slash] : self.path.bytes + [BytePath.slash]
        guard path.bytes.starts(with: prefix) else { return false }
        let below = Array(path.bytes[prefix.count...])
        return (request.recursive || !below.contains(BytePath.slash)) && isVisible(below)
    }

    private func isVisible(_ below: [UInt8]) -> Bool {
        if request.include.isEmpty { return true }
        let name = below.isEmpty ? path.name.bytes : Array(below[((below.lastIndex(of: BytePath.slash) ?? -1) + 1)...])
        return request.include.contains { $0.matches(name: name) { below } }
    }

    /// Whether the request excludes `name` in the directory of `node`.
    func isExcluded(_ name: some Collection<UInt8>, in node: FileTree.Node) -> Bool {
        if request.exclude.isEmpty { return false }
        return request.exclude.contains {
            $0.matches(name: name) {
                let parent = tree?.path(of: node) ?? []
                return parent.isEmpty ? Array(name) : parent + [BytePath.slash] + name
            }
        }
    }

    /// Emits the move of a file or a directory.
    func emitMove(of node: FileTree.Node, from old: [UInt8], to new: [UInt8]) {
        guard let tree else { return }
        emit(.moved, new, from: old, isDirectory: tree.isDirectory(node))
        // Without patterns, the move of a directory stands for everything in it.
        guard !request.include.isEmpty, tree.isDirectory(node) else { return }
        for member in tree.subtree(of: node).dropFirst() {
            let path = tree.path(of: member)
            emit(.moved, path, from: old + path.dropFirst(new.count), isDirectory: tree.isDirectory(member))
        }
    }

    /// Removes a node and its descendants from the tree, and emits their removal if `emitting` is set.
    func removeAll(below node: FileTree.Node, emitting: Bool, isSynthetic: Bool, as path: [UInt8]? = nil) {
        // Do not hold a copy of the tree: a change would then copy all of it.
        let ownPath = tree?.path(of: node) ?? []
        for member in (tree?.subtree(of: node) ?? []).reversed() {
            if emitting, tree?.isInUse(member) == true {
                let memberPath = tree?.path(of: member) ?? []
                let shown = path.map { $0 + memberPath.dropFirst(ownPath.count) } ?? memberPath
                emit(.removed, shown, isDirectory: tree?.isDirectory(member) ?? false, isSynthetic: isSynthetic)
            }
            // Emitting one removal may have removed another node.
            guard tree?.isInUse(member) == true else { continue }
            core.unwatch(tree?.watch(of: member) ?? -1, number, member)
            beingWritten[member] = nil
            possiblyOpen[member] = nil
            walkedEarly.remove(member)
            polledParts.remove(member)
            unreadable.remove(member)
            if member != FileTree.root { tree?.remove(member) }
        }
    }
}
