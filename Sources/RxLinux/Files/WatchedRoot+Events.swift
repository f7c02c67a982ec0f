import Glibc

extension WatchedRoot {
    /// How long a file may be written to before it is told, closed or not.
    static let writingPatience = Duration.seconds(1)
    /// How long the other half of a move may take. The kernel tells both in one go.
    static let movePatience = Duration.milliseconds(50)

    /// Takes what the kernel says of a directory of the tree.
    func take(_ event: InotifyEvent, at node: FileTree.Node) {
        if isHeldBack() { return }
        if node == FileTree.none { return takeGuard(event) }
        guard tree != nil else { return }
        if event.name.isEmpty { return takeOwn(event, node) }
        if !departures.isEmpty, let cookie = departure(of: tree?.path(of: node) ?? []) {
            departures[cookie]?.isStale = true
            return
        }
        guard !isExcluded(event.name, in: node) else { return takeExcluded(event, in: node) }
        if event.has(IN_CREATE) {
            created(event.name, in: node, event.isDirectory)
        } else if event.has(IN_MOVED_TO) {
            arrived(event, in: node)
        } else if let known = tree?.find(node, event.name) {
            if event.has(IN_MOVED_FROM) {
                departed(known, event.cookie)
            } else if event.has(IN_DELETE) {
                let isLink = tree?.isLink(known) ?? false
                removeAll(below: known, telling: true, isSynthetic: false)
                if isLink { checkLinks(in: node) }
            } else if event.has(IN_MODIFY) {
                tree?.set(known, .isBeingWritten, true)
                if beingWritten[known] == nil { beingWritten[known] = .now }
            } else if event.has(IN_CLOSE_WRITE) {
                closed(known)
            } else if event.has(IN_ATTRIB) {
                emit(.attributes, tree?.path(of: known) ?? [], isDirectory: event.isDirectory)
                if unreadable.contains(known) { walk(from: known, telling: true) }
            }
        } else if event.has(IN_CLOSE_WRITE) || event.has(IN_MODIFY) {
            created(event.name, in: node, event.isDirectory)
        } else if core.handoverState.isUncertain, event.has(IN_DELETE) || event.has(IN_MOVED_FROM) {
            let parent = tree?.path(of: node) ?? []
            let path = parent.isEmpty ? event.name : parent + [BytePath.slash] + event.name
            emit(.removed, path, isDirectory: event.isDirectory, isSynthetic: true)
        }
    }

    /// The watch of a directory is no more.
    func lost(_ watch: Int32, at node: FileTree.Node) {
        if node == FileTree.none {
            guards[watch] = nil
            due()
        } else if tree?.watch(of: node) == watch {
            tree?.setWatch(of: node, -1)
            if node == FileTree.root { due() }
        }
    }

    private func due() {
        isDue = true
    }

    /// What leads to the root, or the root itself where it is a file.
    private func takeGuard(_ event: InotifyEvent) {
        if event.name.isEmpty {
            if event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF) || event.has(IN_UNMOUNT) { due() }
        } else if guards[event.watch]?.contains(event.name) == true {
            if presence?.isDirectory == false, event.has(IN_MODIFY) || event.has(IN_CLOSE_WRITE) {
                // A file that is kept open is told of when it was quiet, or now and then.
                if event.has(IN_MODIFY) { wasWritten = true }
                if event.has(IN_CLOSE_WRITE) {
                    due()
                } else {
                    beingWritten[FileTree.root] = beingWritten[FileTree.root] ?? .now
                }
            } else if event.has(IN_ATTRIB) {
                if presence?.isDirectory == false { emit(.attributes, [], isDirectory: false) }
                // A hard link gone is no more than that; a file gone is.
                due()
            } else if event.mask & FileWatcherCore.names != 0 {
                due()
            }
        }
    }

    private func takeOwn(_ event: InotifyEvent, _ node: FileTree.Node) {
        // Of any other, the directory that it is in tells.
        guard node == FileTree.root else { return }
        if event.has(IN_ATTRIB) {
            emit(.attributes, [], isDirectory: true)
        } else if event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF) || event.has(IN_UNMOUNT) {
            due()
        }
    }

    /// Something goes where it is none of our business, or comes from there.
    private func takeExcluded(_ event: InotifyEvent, in node: FileTree.Node) {
        // A link that is, and that leads to what is not: Kubernetes swaps such a one.
        if !event.isDirectory, event.has(IN_CREATE) || event.has(IN_MOVED_TO), isLink(event.name, in: node) {
            checkLinks(in: node)
        }
        if event.has(IN_MOVED_TO), let departure = departures.removeValue(forKey: event.cookie) {
            removeAll(below: departure.node, telling: true, isSynthetic: false, as: departure.path.bytes)
        }
    }

    private func created(_ name: [UInt8], in node: FileTree.Node, _ isDirectory: Bool) {
        if let known = tree?.find(node, name) {
            // Found already when the directory was looked at.
            if tree?.isDirectory(known) == isDirectory { return tellAgain(known) }
            removeAll(below: known, telling: true, isSynthetic: false)
        }
        appear(name, in: node, isDirectory)
    }

    /// Where the previous process may have told that it is gone, it and what is in it are there, whoever knew that.
    private func tellAgain(_ node: FileTree.Node) {
        guard core.handoverState.isUncertain, let known = tree else { return }
        for member in known.subtree(of: node) where !known.has(member, .new) {
            emit(.created, known.path(of: member), isDirectory: known.isDirectory(member), isSynthetic: true)
            tree?.set(member, .new, true)
        }
    }

    private func appear(_ name: [UInt8], in node: FileTree.Node, _ isDirectory: Bool) {
        guard let new = tree?.add(node, name, isDirectory ? .directory : []) else { return }
        let path = tree?.path(of: new) ?? []
        emit(.created, path, isDirectory: isDirectory)
        if isDirectory {
            if request.recursive { walk(from: new, telling: true) }
            return
        }
        var status = stat()
        guard whole(path).withCString({ lstat($0, &status) == 0 }) else { return }
        if status.st_mode & S_IFMT == S_IFLNK {
            tree?.set(new, .link, true)
            tree?.setIdentity(of: new, FileIdentity(of: whole(path)) ?? .unknown)
            checkLinks(in: node, but: new)
        } else {
            tree?.setIdentity(of: new, FileIdentity(status))
        }
    }

    private func closed(_ node: FileTree.Node) {
        guard tree?.isDirectory(node) == false else { return }
        let path = tree?.path(of: node) ?? []
        let before = tree?.identity(of: node) ?? .unknown
        let now = FileIdentity(of: whole(path)) ?? .unknown
        let isOpen = tree?.has(node, .isBeingWritten) ?? false
        let wasWritten = beingWritten.removeValue(forKey: node) != nil || isOpen
        tree?.set(node, .isBeingWritten, false)
        // Unknown, where it is elsewhere by now.
        tree?.setIdentity(of: node, now)
        if wasWritten || (before != .unknown && now != .unknown && before != now) {
            emit(.modified, path, isDirectory: false)
        }
    }

    // MARK: moves

    private func departed(_ node: FileTree.Node, _ cookie: UInt32) {
        let path = tree?.path(of: node) ?? []
        if tree?.isDirectory(node) == true { hasMovedDirectory = true }
        // A directory that moved while it was looked for may be known by two names: what is in it moves once.
        guard departures[cookie] == nil else { return removeAll(below: node, telling: true, isSynthetic: false) }
        departures[cookie] = Departure(node: node, path: BytePath(bytes: path), since: core.eventTime)
        // Its name is free from now on. No file's has a zero in it.
        tree?.move(node, to: FileTree.root, [0] + withUnsafeBytes(of: cookie, Array.init))
    }

    private func arrived(_ event: InotifyEvent, in node: FileTree.Node) {
        var replacesFile = false
        if let known = tree?.find(node, event.name) {
            replacesFile =
                tree?.isDirectory(known) == false && !event.isDirectory && !core.handoverState.isUncertain
            removeAll(below: known, telling: !replacesFile, isSynthetic: false)
        }
        if event.isDirectory { hasMovedDirectory = true }
        guard let departure = departures.removeValue(forKey: event.cookie) else {
            guard replacesFile else { return appear(event.name, in: node, event.isDirectory) }
            guard let new = tree?.add(node, event.name, []) else { return }
            settleIn(new, in: node)
            return emit(.modified, tree?.path(of: new) ?? [], isDirectory: false)
        }
        tree?.move(departure.node, to: node, event.name)
        forgetWhatIsNew(below: departure.node)
        let path = tree?.path(of: departure.node) ?? []
        // One that left before it could be looked at.
        if tree?.identity(of: departure.node) == .unknown, !event.isDirectory { settleIn(departure.node, in: node) }
        if replacesFile {
            emit(.modified, path, from: departure.path.bytes, isDirectory: false)
        } else {
            emitMove(of: departure.node, from: departure.path.bytes, to: path)
        }
        if departure.isStale { walk(from: departure.node, telling: true) }
        if tree?.isLink(departure.node) == true { checkLinks(in: node, but: departure.node) }
    }

    /// What is known by a name may not be what has moved away under that name, of which things may have been told that
    /// nobody knows any more. Where it is another, that shows when it is looked into again.
    private func forgetWhatIsNew(below node: FileTree.Node) {
        guard core.handoverState.isUncertain else { return }
        for member in tree?.subtree(of: node) ?? [] { tree?.set(member, .new, false) }
    }

    /// Finds out about a file that came in another's place.
    private func settleIn(_ node: FileTree.Node, in directory: FileTree.Node) {
        let path = whole(tree?.path(of: node) ?? [])
        var status = stat()
        guard path.withCString({ lstat($0, &status) == 0 }) else { return }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        tree?.set(node, .link, isLink)
        tree?.setIdentity(of: node, isLink ? FileIdentity(of: path) ?? .unknown : FileIdentity(status))
        if isLink { checkLinks(in: directory, but: node) }
    }

    /// Something is about to be told of a path: what has left from there, or from above or below, is gone first.
    func settleDepartures(at path: [UInt8]) {
        func leads(_ one: [UInt8], to other: [UInt8]) -> Bool {
            one.isEmpty || other.starts(with: one) && (other.count == one.count || other[one.count] == BytePath.slash)
        }
        for (cookie, departure) in departures
        where leads(departure.path.bytes, to: path) || leads(path, to: departure.path.bytes) {
            guard departures.removeValue(forKey: cookie) != nil else { continue }
            removeAll(below: departure.node, telling: true, isSynthetic: false, as: departure.path.bytes)
        }
    }

    /// What has left and not come back under another name is gone.
    func forgetDepartures(before limit: ContinuousClock.Instant?) {
        for (cookie, departure) in departures where limit.map({ departure.since <= $0 }) ?? true {
            departures[cookie] = nil
            removeAll(below: departure.node, telling: true, isSynthetic: false, as: departure.path.bytes)
        }
    }

    // MARK: as time goes by

    /// Whether there is something that ``tick(_:)`` may have to see to.
    var isWaiting: Bool { !departures.isEmpty || !beingWritten.isEmpty }

    /// Sees to what was put off. Returns when there will be something to see to again.
    func tick(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard isWaiting, !isHeldBack() else { return nil }
        forgetDepartures(before: now - Self.movePatience)
        // What is on its way has no path.
        for (node, since) in beingWritten
        where since <= now - Self.writingPatience && departure(of: tree?.path(of: node) ?? []) == nil {
            beingWritten[node] = nil
            if presence?.isDirectory == false {
                check()
            } else if let path = tree?.path(of: node) {
                if let identity = FileIdentity(of: whole(path)) { tree?.setIdentity(of: node, identity) }
                // Told of what was written so far, it is not told of again when it is closed.
                tree?.set(node, .isBeingWritten, false)
                emit(.modified, path, isDirectory: false)
            }
        }
        let moves = departures.values.map { $0.since + Self.movePatience }
        let writes = beingWritten.values.map { max(now, $0 + Self.writingPatience) }
        return (moves + writes).min()
    }
}
