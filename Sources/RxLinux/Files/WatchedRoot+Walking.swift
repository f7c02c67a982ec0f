import Glibc

extension WatchedRoot {
    /// Begins to watch. What is there already is told to nobody.
    func arm() {
        check(telling: false)
    }

    /// Begins to watch where another has left off, by telling the differences.
    func catchUp() {
        look = request.method == .polling ? .polled : FileSystemKind(of: path)
        // First, so that nothing is missed between looking and watching.
        while watchOver() {}
        beingWritten = [:]
        suspects = []
        forgetDepartures(before: nil)
        // Where it is another than it was, looking at it is a walk already.
        rescan()
        lastLook = .now
    }

    /// What the system says of a path where there is nothing. Whatever else it says, there may be.
    private static let absences: Set<Int32> = [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG]

    /// Looks whether what is at the path is still what it was, and finds out about everything that is not.
    ///
    /// - Returns: whether everything in it was looked at.
    @discardableResult func check(telling: Bool = true) -> Bool {
        isDue = false
        if telling, isHeldBack() { return true }
        var status = stat()
        let isThere = path.withCString { stat($0, &status) == 0 }
        let error = isThere ? 0 : errno
        guard isThere || Self.absences.contains(error) else {
            degrade(SystemError(error, "looking at \(path)"))
            while watchOver() {}
            return false
        }
        var isWalked = false
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        let now =
            isThere
            ? Presence(device: UInt64(status.st_dev), inode: UInt64(status.st_ino), isDirectory: isDirectory) : nil
        if let now {
            look = request.method == .polling ? .polled : FileSystemKind(of: path)
            let before = presence
            if before?.isDirectory != now.isDirectory, before != nil { vanish(telling: telling) }
            if now.isDirectory {
                if presence != now || isForgotten {
                    appear(now, telling: telling)
                    isWalked = true
                }
            } else {
                lookAtFile(FileIdentity(of: path, look), now, telling: telling)
            }
        } else {
            // It comes where the kernel tells of that, or where it does not.
            let place = PathSteps(path).all.last?.directory ?? "/"
            look = request.method == .polling ? .polled : FileSystemKind(of: place)
            if presence != nil { vanish(telling: telling) }
        }
        // Something may have come between looking and guarding: looked at again until nothing new is to be guarded.
        var isNew = watchOver()
        guard isNew else { return isWalked }
        while isNew { isNew = watchOver() }
        let later = path.withCString { stat($0, &status) == 0 }
        return later == isThere ? isWalked : check(telling: telling)
    }

    /// Whether the kernel has forgotten the root's watch: then it is another directory, though it may have the number
    /// of the one before.
    private var isForgotten: Bool {
        look == .watched && !isBlind && tree.map { $0.watch(of: FileTree.root) < 0 } == true
    }

    /// Looks at everything again, and tells the differences.
    func rescan() {
        if !check(), presence?.isDirectory == true { walk(from: FileTree.root, telling: true) }
        checkLinks()
    }

    /// Looks at everything now and then, and watches it where that can be done by now.
    func lookAgain() {
        if isBehind { return }
        if look == .watched, !isBlind {
            for part in polledParts where tree?.isInUse(part) == true { walk(from: part, telling: true) }
            return
        }
        degradation = nil
        rescan()
        if degradation == nil { announced = nil }
    }

    /// Where the kernel has lost events: says so, and finds them out.
    func overflowed() {
        if isHeldBack() { return }
        emit(.overflow, [], isDirectory: presence?.isDirectory ?? true)
        forgetDepartures(before: nil)
        rescan()
    }

    private func appear(_ now: Presence, telling: Bool) {
        // Of what was there before, what is there again under the same names is no news.
        if tree == nil {
            tree = FileTree()
            if telling { emit(.created, [], isDirectory: true, isSynthetic: true) }
        }
        presence = now
        walk(from: FileTree.root, telling: telling)
    }

    private func vanish(telling: Bool) {
        // By the names that they had.
        forgetDepartures(before: nil)
        if tree != nil {
            removeAll(below: FileTree.root, telling: telling, isSynthetic: true)
        } else if telling {
            emit(.removed, [], isDirectory: false, isSynthetic: true)
        }
        tree = nil
        presence = nil
        fileIdentity = nil
        departures = [:]
        beingWritten = [:]
    }

    private func lookAtFile(_ identity: FileIdentity, _ now: Presence, telling: Bool) {
        let before = fileIdentity
        let isWritten = wasWritten
        fileIdentity = identity
        presence = now
        wasWritten = false
        guard telling else { return }
        if before == nil {
            emit(.created, [], isDirectory: false)
        } else if isWritten || before != identity {
            emit(.modified, [], isDirectory: false)
        }
    }

    /// Watches a directory and all below it, and takes in what is there.
    func walk(from start: FileTree.Node, telling: Bool) {
        defer { forgetUnreadable() }
        var waiting = [start]
        while let node = waiting.popLast() {
            if telling, isHeldBack() { return }
            suspects.insert(node)
            guard let below = tree?.path(of: node) else { return }
            // What is on its way has no path to look at.
            guard departure(of: below) == nil else { continue }
            let directory = whole(below)
            if look == .watched { watch(node, directory) }
            guard let listing = Directory(directory, content: look == .content) else {
                noteUnreadable(directory, node)
                continue
            }
            unreadable.remove(node)
            let isWhole = listing.forEach(where: { !self.isExcluded($0, in: node) }) { entry in
                if let found = self.takeIn(entry, in: node, telling: telling) { waiting.append(found) }
            } unknown: { name in
                self.noteUnreadable(directory, node)
                if let child = self.tree?.find(node, name) { self.tree?.set(child, .seen, true) }
            }
            for child in tree?.children(of: node) ?? [] {
                if tree?.has(child, .seen) == true {
                    tree?.set(child, .seen, false)
                } else if isWhole, tree?.name(of: child).first != 0, !(telling && isHeldBack()) {
                    removeAll(below: child, telling: telling, isSynthetic: true)
                }
            }
        }
    }

    /// The kernel has nothing more to tell: paths are what they are known to be, and what was looked into too early is
    /// looked into again.
    func drained() {
        forgetUnreadable()
        if isBehind { return }
        let looked = suspects
        let isStale = hasMovedDirectory
        hasMovedDirectory = false
        suspects = []
        guard isStale else { return }
        isLookingInto = true
        defer { isLookingInto = false }
        for node in looked {
            // Looking into another may have shown that it is gone.
            guard tree?.isInUse(node) == true else { continue }
            // What is on its way has to wait until it has a path again; what is in another comes with that.
            if departure(of: tree?.path(of: node) ?? []) != nil {
                suspects.insert(node)
            } else if !looked.contains(tree?.parent(of: node) ?? FileTree.none) {
                walk(from: node, telling: true)
            }
        }
    }

    /// Whether it is another directory than the one that things may have been told of that nobody knows any more.
    private func isAnother(_ entry: Directory.Entry, _ node: FileTree.Node) -> Bool {
        guard core.handoverState.isUncertain, entry.kind.contains(.directory), let known = tree else { return false }
        return !known.has(node, .new) && known.identity(of: node).inode != entry.identity.inode
    }

    /// - Returns: a directory to look into.
    private func takeIn(_ entry: Directory.Entry, in node: FileTree.Node, telling: Bool) -> FileTree.Node? {
        var known = tree?.find(node, entry.name)
        if telling, isHeldBack() {
            if let known { tree?.set(known, .seen, true) }
            return nil
        }
        if let child = known, tree?.isDirectory(child) != entry.kind.contains(.directory) || isAnother(entry, child) {
            removeAll(below: child, telling: telling, isSynthetic: true)
            known = nil
        }
        let child: FileTree.Node
        if let known {
            child = known
            let before = tree?.identity(of: child)
            tree?.set(child, .link, entry.kind.contains(.link))
            // What could not be looked at when it was told is no news.
            let isNews = before != entry.identity && !(isLookingInto && before == .unknown)
            if telling, !entry.kind.contains(.directory), isNews {
                emit(.modified, tree?.path(of: child) ?? [], isDirectory: false, isSynthetic: true)
            }
        } else {
            guard let new = tree?.add(node, entry.name, entry.kind) else { return nil }
            child = new
            if telling {
                tree?.set(child, .new, true)
                emit(
                    .created, tree?.path(of: child) ?? [], isDirectory: entry.kind.contains(.directory),
                    isSynthetic: true)
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
