import Glibc

extension WatchedRoot {
    /// Starts watching. Existing files are emitted only if the request includes them.
    func arm() {
        walkKind = request.existing ? .first : .comparison
        check(emitting: request.existing)
        endFirstWalk()
    }

    /// Ends the first walk, unless changes were skipped: the comparison that finds them later continues it.
    private func endFirstWalk() {
        if walkKind == .first, !isBehind { walkKind = .comparison }
    }

    /// Starts watching with the state of the previous process, and emits the differences.
    func catchUp() {
        detection = request.method == .polling ? .polled : FileSystemKind(of: path)
        // Watch before comparing, so that no change between the two is missed.
        while watchAncestors() {}
        beingWritten = [:]
        walkedEarly = []
        emitRemovals(before: nil)
        // This walks the root once: if the root is another directory, the check inside has walked it already.
        rescan()
        lastPoll = .now
    }

    /// The errors of a path that does not exist. After any other error, it may exist.
    static let absences: Set<Int32> = [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG]

    /// Checks whether the path still leads to the same file or directory, and emits the differences if it does not.
    ///
    /// - Returns: whether the directory was walked.
    @discardableResult func check(emitting: Bool = true) -> Bool {
        isDue = false
        if emitting, isSkippingChanges() { return true }
        var status = stat()
        let exists = path.withCString { stat($0, &status) == 0 }
        let error = exists ? 0 : errno
        guard exists || Self.absences.contains(error) else {
            degrade(SystemError(error, "looking at \(path)"))
            while watchAncestors() {}
            return false
        }
        var isWalked = false
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        let now =
            exists
            ? RootFile(device: UInt64(status.st_dev), inode: UInt64(status.st_ino), isDirectory: isDirectory) : nil
        if let now {
            detection = request.method == .polling ? .polled : FileSystemKind(of: path)
            let before = rootFile
            if before?.isDirectory != now.isDirectory, before != nil { disappear(emitting: emitting) }
            if now.isDirectory {
                if rootFile != now || hasLostWatch {
                    appear(now, emitting: emitting)
                    isWalked = true
                }
            } else {
                checkFile(FileIdentity(of: path, detection), now, emitting: emitting)
            }
        } else {
            // The file system of the parent decides whether the kernel reports the creation of the path.
            let parent = PathSteps(path).all.last?.directory ?? "/"
            detection = request.method == .polling ? .polled : FileSystemKind(of: parent)
            if rootFile != nil { disappear(emitting: emitting) }
        }
        // The path may have changed between the check and the new watches, so check again until no watch is new.
        var isNew = watchAncestors()
        guard isNew else { return isWalked }
        while isNew { isNew = watchAncestors() }
        let later = path.withCString { stat($0, &status) == 0 }
        // A file is checked again in any case, since it may have been written meanwhile.
        let isFile = now?.isDirectory == false
        return later == exists && !isFile ? isWalked : check(emitting: emitting)
    }

    /// Whether the kernel has removed the root's watch: the root is another directory then, even if it has the same
    /// inode number.
    private var hasLostWatch: Bool {
        detection == .watched && !isUnwatchable && tree.map { $0.watch(of: FileTree.root) < 0 } == true
    }

    /// Compares all files and emits the differences.
    func rescan() {
        defer { endFirstWalk() }
        isFull = false
        if !check(), rootFile?.isDirectory == true { walk(from: FileTree.root, emitting: true) }
        checkLinks()
    }

    /// Polls the root, or its polled parts, and watches them if that is possible by now.
    func pollAgain() {
        if isBehind { return }
        if detection == .watched, !isUnwatchable {
            for part in polledParts where tree?.isInUse(part) == true { walk(from: part, emitting: true) }
            return
        }
        degradation = nil
        rescan()
        if degradation == nil { reportedError = nil }
    }

    /// Emits an overflow and then the differences, after the kernel has lost events.
    func overflowed() {
        if isSkippingChanges() { return }
        emit(.overflow, [], isDirectory: rootFile?.isDirectory ?? true)
        emitRemovals(before: nil)
        rescan()
    }

    private func appear(_ now: RootFile, emitting: Bool) {
        // If there is a tree, files that exist again under the same names are not emitted.
        if tree == nil {
            tree = FileTree()
            if emitting, walkKind != .first { emit(.created, [], isDirectory: true, isSynthetic: true) }
        }
        rootFile = now
        walk(from: FileTree.root, emitting: emitting)
    }

    private func disappear(emitting: Bool) {
        // Emit the removals of files that are being moved under their old names first.
        emitRemovals(before: nil)
        if tree != nil {
            removeAll(below: FileTree.root, emitting: emitting, isSynthetic: true)
        } else if emitting {
            emit(.removed, [], isDirectory: false, isSynthetic: true)
        }
        tree = nil
        rootFile = nil
        fileIdentity = nil
        rootWrites = []
        unpairedMoves = [:]
        beingWritten = [:]
        possiblyOpen = [:]
    }

    private func checkFile(_ identity: FileIdentity, _ now: RootFile, emitting: Bool) {
        let before = fileIdentity
        let writes = rootWrites
        fileIdentity = identity
        rootFile = now
        rootWrites = []
        guard emitting else { return }
        if before == nil {
            emit(.created, [], isDirectory: false, isSynthetic: walkKind == .first)
            if !writes.contains(.closed) { awaitClosing(of: FileTree.root) }
        } else if writes.contains(.written) || before != identity {
            emit(.modified, [], isDirectory: false)
        }
        if writes.contains(.closed) { emitClosed(FileTree.root) }
    }

    /// Watches a directory and its subdirectories, and compares the tree with the files.
    func walk(from start: FileTree.Node, emitting: Bool) {
        defer { forgetUnreadable() }
        var waiting = [start]
        while let node = waiting.popLast() {
            if emitting, isSkippingChanges() { return }
            walkedEarly.insert(node)
            core.advance()
            guard let below = tree?.path(of: node) else { return }
            // A node that is being moved has no path.
            guard moveCookie(in: below) == nil else { continue }
            let directory = whole(below)
            if detection == .watched { watch(node, directory) }
            guard
                let listing = Directory(
                    directory, content: detection == .content, entersDirectories: request.recursive,
                    unfollowed: core.identity(ofUnfollowed:))
            else {
                addUnreadable(directory, node)
                continue
            }
            unreadable.remove(node)
            let isWhole = listing.forEach(where: { !self.isExcluded($0, in: node) }) { entry in
                if let found = self.takeIn(entry, in: node, emitting: emitting) { waiting.append(found) }
            } unknown: { name in
                self.addUnreadable(directory, node)
                if let child = self.tree?.find(node, name) { self.tree?.set(child, .seen, true) }
            }
            for child in tree?.children(of: node) ?? [] {
                if tree?.has(child, .seen) == true {
                    tree?.set(child, .seen, false)
                } else if isWhole, tree?.name(of: child).first != 0, !(emitting && isSkippingChanges()) {
                    removeAll(below: child, emitting: emitting, isSynthetic: true)
                }
            }
        }
    }

    /// Walks the directories again that were walked too early. The kernel's queue is empty now, so that the paths in
    /// the tree are right.
    func drained() {
        forgetUnreadable()
        if isBehind { return }
        let rewalked = walkedEarly
        let isStale = hasMovedDirectory
        hasMovedDirectory = false
        walkedEarly = []
        guard isStale else { return }
        walkKind = .repetition
        defer { walkKind = .comparison }
        for node in rewalked {
            // Walking another directory may have removed this one, and a new file may have its number.
            guard tree?.isInUse(node) == true, tree?.isDirectory(node) == true else { continue }
            // A node that is being moved has no path yet. A node inside another one of these is walked with it.
            if moveCookie(in: tree?.path(of: node) ?? []) != nil {
                walkedEarly.insert(node)
            } else if !rewalked.contains(tree?.parent(of: node) ?? FileTree.none) {
                walk(from: node, emitting: true)
            }
        }
    }

    /// Whether the entry is another directory than the node, for which the previous process may have emitted changes
    /// that are not known.
    private func isAnother(_ entry: Directory.Entry, _ node: FileTree.Node) -> Bool {
        guard core.handoverState.isUncertain, entry.kind.contains(.directory), let known = tree else { return false }
        return !known.has(node, .new) && known.identity(of: node).inode != entry.identity.inode
    }

    /// Compares an entry of a directory with the tree.
    ///
    /// - Returns: the node to walk next, if the entry is a directory; otherwise `nil`.
    private func takeIn(_ entry: Directory.Entry, in node: FileTree.Node, emitting: Bool) -> FileTree.Node? {
        core.advance()
        var known = tree?.find(node, entry.name)
        if emitting, isSkippingChanges() {
            if let known { tree?.set(known, .seen, true) }
            return nil
        }
        if let child = known, tree?.isDirectory(child) != entry.kind.contains(.directory) || isAnother(entry, child) {
            removeAll(below: child, emitting: emitting, isSynthetic: true)
            known = nil
        }
        let child: FileTree.Node
        if let known {
            child = known
            let before = tree?.identity(of: child)
            tree?.set(child, .link, entry.kind.contains(.link))
            // A file that could not be examined when it was emitted is not a difference.
            let isChanged = before != entry.identity && !(walkKind == .repetition && before == .unknown)
            if emitting, !entry.kind.contains(.directory), isChanged {
                emit(.modified, tree?.path(of: child) ?? [], isDirectory: false, isSynthetic: true)
                awaitClosing(of: child)
            }
        } else {
            guard let new = addNode(node, entry.name, entry.kind) else { return nil }
            child = new
            if emitting {
                tree?.set(child, .new, true)
                emit(
                    .created, tree?.path(of: child) ?? [], isDirectory: entry.kind.contains(.directory),
                    isSynthetic: true)
                if !entry.kind.contains(.directory) { awaitClosing(of: child) }
            }
        }
        tree?.setIdentity(of: child, entry.identity)
        tree?.set(child, .seen, true)
        return entry.kind.contains(.directory) && request.recursive ? child : nil
    }

    private func watch(_ node: FileTree.Node, _ directory: BytePath) {
        let before = tree?.watch(of: node) ?? -1
        let result = core.watch(directory, FileWatcherCore.everything, number, node)
        switch result {
        case .success(let watch):
            if before >= 0, before != watch { core.unwatch(before, number, node) }
            tree?.setWatch(of: node, watch)
        case .failure(let error):
            if Self.shortages.contains(error.number) { degrade(error) }
        }
    }
}
