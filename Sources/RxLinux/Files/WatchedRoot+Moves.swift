import Glibc

extension WatchedRoot {
    /// The longest wait for the other half of a move. The kernel reports both together.
    static let moveTimeout = Duration.milliseconds(50)

    /// Handles the first half of a move: keeps the node under a temporary name until the second half arrives.
    func movedFrom(_ node: FileTree.Node, _ cookie: UInt32) {
        let path = tree?.path(of: node) ?? []
        if tree?.isDirectory(node) == true { hasMovedDirectory = true }
        // A directory that moved during a walk may be in the tree under two names. Its contents move only once.
        guard unpairedMoves[cookie] == nil else { return removeAll(below: node, emitting: true, isSynthetic: false) }
        lastUnpairedMove += 1
        unpairedMoves[cookie] = UnpairedMove(
            node: node, path: BytePath(bytes: path), since: core.eventTime, order: lastUnpairedMove)
        // Free the node's name. A temporary name begins with a zero, so that it is not a file's name.
        tree?.move(node, to: FileTree.root, Self.temporaryName(cookie))
    }

    static func temporaryName(_ cookie: UInt32) -> [UInt8] { [0] + withUnsafeBytes(of: cookie, Array.init) }

    /// Handles the second half of a move. Without a first half, the file is new.
    func movedTo(_ event: InotifyEvent, in node: FileTree.Node) {
        var replacesFile = false
        if let known = tree?.find(node, event.name) {
            replacesFile =
                tree?.isDirectory(known) == false && !event.isDirectory && !core.handoverState.isUncertain
            removeAll(below: known, emitting: !replacesFile, isSynthetic: false)
        }
        if event.isDirectory { hasMovedDirectory = true }
        guard let move = unpairedMoves.removeValue(forKey: event.cookie) else {
            guard replacesFile else { return appear(event.name, in: node, event.isDirectory) }
            guard let new = addNode(node, event.name, []) else { return }
            identifyReplacement(new, in: node)
            return emit(.modified, tree?.path(of: new) ?? [], isDirectory: false)
        }
        tree?.move(move.node, to: node, event.name)
        clearNewFlags(below: move.node)
        let path = tree?.path(of: move.node) ?? []
        // The file moved before it was examined.
        if tree?.identity(of: move.node) == .unknown, !event.isDirectory {
            identifyReplacement(move.node, in: node)
        }
        whileEmitting(move) {
            if replacesFile {
                emit(.modified, path, from: move.path.bytes, isDirectory: false)
            } else {
                emitMove(of: move.node, from: move.path.bytes, to: path)
            }
        }
        if move.isStale { walk(from: move.node, emitting: true) }
        if tree?.isLink(move.node) == true { directoriesOfLinks.insert(node) }
    }

    /// Clears the marks of emitted creations below a moved directory, so that the next walk checks it. While uncertain,
    /// it may be another directory than the one in the tree, about which the previous process has emitted changes.
    private func clearNewFlags(below node: FileTree.Node) {
        guard core.handoverState.isUncertain else { return }
        for member in tree?.subtree(of: node) ?? [] { tree?.set(member, .new, false) }
    }

    /// Examines a file that has replaced another one.
    private func identifyReplacement(_ node: FileTree.Node, in directory: FileTree.Node) {
        let path = whole(tree?.path(of: node) ?? [])
        var status = stat()
        guard path.withCString({ lstat($0, &status) == 0 }) else { return }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        tree?.set(node, .link, isLink)
        tree?.setIdentity(of: node, isLink ? identity(ofLink: path) : FileIdentity(status))
        if isLink { directoriesOfLinks.insert(directory) }
    }

    /// Emits, before a change of a path, the removal of files that have left this path or one above or below it.
    func emitRemovals(at path: [UInt8], leftBefore order: Int?) {
        func leads(_ one: [UInt8], to other: [UInt8]) -> Bool {
            one.isEmpty || other.starts(with: one) && (other.count == one.count || other[one.count] == BytePath.slash)
        }
        let concerned = unpairedMoves.filter {
            $0.value.order < order ?? .max
                && (leads($0.value.path.bytes, to: path) || leads(path, to: $0.value.path.bytes))
        }
        for (cookie, move) in concerned.sorted(by: { $0.value.order < $1.value.order }) {
            guard unpairedMoves.removeValue(forKey: cookie) != nil else { continue }
            emitRemoval(move)
        }
    }

    /// Emits the removal of a file that has left, with everything in it.
    func emitRemoval(_ move: UnpairedMove) {
        whileEmitting(move) {
            removeAll(below: move.node, emitting: true, isSynthetic: false, as: move.path.bytes)
        }
    }

    /// Calls `body`, which emits the changes of a move. Meanwhile, later ones are not emitted.
    private func whileEmitting(_ move: UnpairedMove, _ body: () -> Void) {
        let outer = moveBeingEmitted
        moveBeingEmitted = move
        defer { moveBeingEmitted = outer }
        body()
    }

    /// The last known identity of a file that was at `path` until its directory moved. Pending changes in the directory
    /// are emitted before the move.
    func identityBeforeMove(at path: BytePath) -> FileIdentity? {
        guard let move = moveBeingEmitted, let below = below(path),
            below.starts(with: move.path.bytes + [BytePath.slash])
        else { return nil }
        let rest = below[(move.path.bytes.count + 1)...]
        return node(at: rest, from: move.node).flatMap { tree?.identity(of: $0) }
    }

    /// Emits the removal of files that have left before a time, or at any time for `nil`, and not arrived anywhere.
    func emitRemovals(before limit: SuspendingClock.Instant?) {
        let late = unpairedMoves.filter { move in limit.map { move.value.since <= $0 } ?? true }
        for (cookie, move) in late.sorted(by: { $0.value.order < $1.value.order }) {
            // Emitting one move may have settled another.
            guard unpairedMoves.removeValue(forKey: cookie) != nil else { continue }
            emitRemoval(move)
        }
    }
}
