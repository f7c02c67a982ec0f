import Glibc

extension WatchedRoot {
    /// Handles the creation of a file or a directory.
    func created(_ name: [UInt8], in node: FileTree.Node, _ isDirectory: Bool) {
        if let known = tree?.find(node, name) {
            // A walk has found it before its event was read.
            if tree?.isDirectory(known) == isDirectory { return emitAgain(known) }
            removeAll(below: known, emitting: true, isSynthetic: false)
        }
        appear(name, in: node, isDirectory)
    }

    /// Emits the creation of files that a walk has found again, if the previous process may have emitted their removal.
    private func emitAgain(_ node: FileTree.Node) {
        guard core.handoverState.isUncertain, let known = tree else { return }
        for member in known.subtree(of: node) where !known.has(member, .new) {
            emit(.created, known.path(of: member), isDirectory: known.isDirectory(member), isSynthetic: true)
            tree?.set(member, .new, true)
        }
    }

    /// Adds a file or directory to the tree. If the trees have as many as the memory allows, the root is watched in
    /// part from then on.
    func addNode(_ parent: FileTree.Node, _ name: some Collection<UInt8>, _ kind: FileTree.Flags) -> FileTree.Node? {
        guard tree != nil else { return nil }
        guard (try? memory.add(FileTree.memory(ofFileNamed: name))) != nil else {
            isFull = true
            let limit = max(1, core.quota.limit >> 20)
            degrade(SystemError(ENOMEM, "watching more files than fit into \(limit) MiB"), isPolled: false)
            return nil
        }
        return tree?.add(parent, name, kind)
    }

    /// Adds a new file or directory to the tree and emits its creation.
    func appear(_ name: [UInt8], in node: FileTree.Node, _ isDirectory: Bool) {
        guard let new = addNode(node, name, isDirectory ? .directory : []) else { return }
        let path = tree?.path(of: new) ?? []
        emit(.created, path, isDirectory: isDirectory)
        if isDirectory {
            if request.recursive { walk(from: new, emitting: true) }
            return
        }
        var status = stat()
        guard whole(path).withCString({ lstat($0, &status) == 0 }) else { return }
        if status.st_mode & S_IFMT == S_IFLNK {
            tree?.set(new, .link, true)
            tree?.setIdentity(of: new, identity(ofLink: whole(path)))
            directoriesOfLinks.insert(node)
        } else {
            tree?.setIdentity(of: new, FileIdentity(status))
        }
    }

    /// Handles a write. If changes settle, each write is a change, which restarts the settling time. Otherwise the
    /// change is emitted when the file is closed, or when it has been written for a long time.
    func written(_ node: FileTree.Node) {
        if possiblyOpen[node] != nil { possiblyOpen[node] = .now }
        guard request.settle == .zero else {
            let path = tree?.path(of: node) ?? []
            // Store the identity, so that the close of the file does not emit the same write again.
            if let identity = FileIdentity(of: whole(path)) { tree?.setIdentity(of: node, identity) }
            return emit(.modified, path, isDirectory: false)
        }
        tree?.set(node, .isBeingWritten, true)
        if beingWritten[node] == nil { beingWritten[node] = .now }
    }

    /// Handles the close of a file that was open for writing.
    func closed(_ node: FileTree.Node) {
        guard tree?.isDirectory(node) == false else { return }
        let path = tree?.path(of: node) ?? []
        let before = tree?.identity(of: node) ?? .unknown
        // If the file is elsewhere by now, it remains what it was at its last write.
        let now = FileIdentity(of: whole(path)) ?? before
        let isOpen = tree?.has(node, .isBeingWritten) ?? false
        let wasWritten = beingWritten.removeValue(forKey: node) != nil || isOpen
        tree?.set(node, .isBeingWritten, false)
        tree?.setIdentity(of: node, now)
        if wasWritten || (before != .unknown && before != now) {
            emit(.modified, path, isDirectory: false)
        }
        emitClosed(node)
    }

    func emitClosed(_ node: FileTree.Node, isSynthetic: Bool = false) {
        guard reportsClosing else { return }
        possiblyOpen[node] = nil
        emit(.closed, tree?.path(of: node) ?? [], isDirectory: false, isSynthetic: isSynthetic)
    }

    /// Starts waiting for the close of a file that a comparison has found. If the file is open for writing, the kernel
    /// reports its close; if not, the wait times out.
    func awaitClosing(of node: FileTree.Node) {
        if reportsClosing { possiblyOpen[node] = .now }
    }

    /// The time without a change after which a file that a comparison has found counts as closed.
    var closingDelay: Duration {
        isPolled ? max(Self.writeReportDelay, request.period * 1.5) : Self.writeReportDelay
    }
}
