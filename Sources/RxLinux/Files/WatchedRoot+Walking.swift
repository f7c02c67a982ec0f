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
        let before = presence
        check()
        if presence?.isDirectory == true, presence == before { walk(from: FileTree.root, telling: true) }
        checkLinks()
        lastLook = .now
    }

    /// Looks whether what is at the path is still what it was, and finds out about everything that is not.
    func check(telling: Bool = true) {
        isDue = false
        var status = stat()
        let isThere = path.withCString { stat($0, &status) == 0 }
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        let now =
            isThere
            ? Presence(device: UInt64(status.st_dev), inode: UInt64(status.st_ino), isDirectory: isDirectory) : nil
        if let now {
            look = request.method == .polling ? .polled : FileSystemKind(of: path)
            let before = presence
            if before?.isDirectory != now.isDirectory, before != nil { vanish(telling: telling) }
            if now.isDirectory {
                if presence != now { appear(now, telling: telling) }
            } else {
                lookAtFile(FileIdentity(of: path, look), now, telling: telling)
            }
        } else if presence != nil {
            vanish(telling: telling)
        }
        // Something may have come between looking and guarding: looked at again until nothing new is to be guarded.
        var isNew = watchOver()
        guard isNew else { return }
        while isNew { isNew = watchOver() }
        let later = path.withCString { stat($0, &status) == 0 }
        if later != isThere { check(telling: telling) }
    }

    /// Looks at everything again, and tells the differences.
    func rescan() {
        check()
        if presence?.isDirectory == true { walk(from: FileTree.root, telling: true) }
        checkLinks()
    }

    /// Looks at everything now and then, and watches it where that can be done by now.
    func lookAgain() {
        degradation = nil
        rescan()
        if degradation == nil { announced = nil }
    }

    /// Where the kernel has lost events: says so, and finds them out.
    func overflowed() {
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
        var waiting = [start]
        while let node = waiting.popLast() {
            suspects.insert(node)
            guard let below = tree?.path(of: node) else { return }
            // What is on its way has no path to look at.
            guard departure(of: below) == nil else { continue }
            let directory = whole(below)
            if look == .watched { watch(node, directory) }
            guard let listing = Directory(directory, content: look == .content) else {
                noteUnreadable(directory)
                continue
            }
            listing.forEach(where: { !self.isExcluded($0, in: node) }) { entry in
                if let found = self.takeIn(entry, in: node, telling: telling) { waiting.append(found) }
            }
            for child in tree?.children(of: node) ?? [] {
                if tree?.has(child, .seen) == true {
                    tree?.set(child, .seen, false)
                } else if tree?.name(of: child).first != 0 {
                    removeAll(below: child, telling: telling, isSynthetic: true)
                }
            }
        }
    }

    /// The kernel has nothing more to tell: paths are what they are known to be, and what was looked into too early is
    /// looked into again.
    func drained() {
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
        guard core.succession.isUncertain, entry.kind.contains(.directory), let known = tree else { return false }
        return !known.has(node, .new) && known.identity(of: node).inode != entry.identity.inode
    }

    /// - Returns: a directory to look into.
    private func takeIn(_ entry: Directory.Entry, in node: FileTree.Node, telling: Bool) -> FileTree.Node? {
        var known = tree?.find(node, entry.name)
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

    /// Of what there may be more another time.
    private static let shortages: Set<Int32> = [ENOSPC, EMFILE, ENFILE, ENOMEM]

    private func noteUnreadable(_ directory: BytePath) {
        let number = errno
        if number == EACCES || number == EMFILE || number == ENFILE {
            degrade(SystemError(number, "looking into \(directory)"))
        }
    }

    /// Not everything can be watched: looks now and then instead, and says why, once.
    func degrade(_ error: SystemError) {
        guard degradation == nil else { return }
        let degradation = FileDegradation(path: path, error: error)
        self.degradation = degradation
        guard announced != error.number else { return }
        announced = error.number
        core.degraded(degradation)
    }

    // MARK: what leads here

    /// Watches the directories that the path leads through, so that it is known when something else is there.
    ///
    /// - Returns: whether there is one that was not watched before.
    private func watchOver() -> Bool {
        guard look == .watched else { return false }
        var guards: [Int32: Set<[UInt8]>] = [:]
        var isNew = false
        for (directory, name, isLast) in PathSteps(path).all {
            let mask = isLast ? FileWatcherCore.everything : FileWatcherCore.names
            switch core.watch(directory, mask, number, FileTree.none) {
            case .success(let watch):
                guards[watch, default: []].insert(name)
                if self.guards[watch] == nil { isNew = true }
            case .failure(let error):
                // In a directory that may not be read, nobody tells what appears.
                if Self.shortages.contains(error.number) || isLast && error.number == EACCES { degrade(error) }
            }
        }
        for watch in self.guards.keys where guards[watch] == nil { core.unwatch(watch, number, FileTree.none) }
        self.guards = guards
        return isNew
    }

    // MARK: symbolic links

    /// Tells of links whose ends have changed: all of them, or those in a directory.
    func checkLinks(in directory: FileTree.Node? = nil, but except: FileTree.Node = FileTree.none) {
        let candidates = directory.map { tree?.children(of: $0) } ?? tree?.subtree(of: FileTree.root)
        let links = (candidates ?? []).filter { tree?.isLink($0) == true && $0 != except }
        for link in links {
            let path = tree?.path(of: link) ?? []
            let identity = FileIdentity(of: whole(path)) ?? .unknown
            guard identity != tree?.identity(of: link), identity != .unknown else { continue }
            tree?.setIdentity(of: link, identity)
            emit(.modified, path, isDirectory: false, isSynthetic: true)
        }
    }
}
