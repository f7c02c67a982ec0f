extension WatchedRoot {
    /// Restores the tree to the state before these changes, which were found and not emitted.
    func revert(_ changes: [FileChange]) {
        for (cookie, move) in unpairedMoves.sorted(by: { $0.value.order > $1.value.order }) {
            let path = move.path.bytes
            guard let parent = makeNode(at: path.dropLastName, isDirectory: true),
                tree?.mayMove(move.node, to: parent, path.name) == true
            else { continue }
            tree?.move(move.node, to: parent, path.name)
            unpairedMoves[cookie] = nil
        }
        for change in changes.reversed() {
            for inverse in change.inverses { apply(inverse, nil) }
            if change.kind == .closed, let node = below(change.path).flatMap({ node(at: $0) }) {
                awaitClosing(of: node)
            }
        }
    }

    /// Updates the tree for a change that was emitted.
    func apply(_ change: FileChange, _ identity: FileIdentity?) {
        let (place, origin) = (below(change.path), change.from.flatMap { below($0) })
        switch change.kind {
        case .overflow, .attributes: return
        case .closed: if let node = place.flatMap({ node(at: $0) }) { possiblyOpen[node] = nil }
        case .removed: if let place { forget(place) }
        case .created, .modified, .moved:
            guard let place, !place.isEmpty else {
                if let origin { forget(origin) }
                if place != nil { applyOwn(change.isDirectory, identity) }
                return
            }
            var known: FileIdentity?
            if let origin, let node = node(at: origin), node != FileTree.root {
                if origin != place { forget(place) }
                if let parent = makeNode(at: place.dropLastName, isDirectory: true),
                    tree?.mayMove(node, to: parent, place.name) == true
                {
                    tree?.move(node, to: parent, place.name)
                    known = tree?.identity(of: node)
                }
            }
            guard let node = makeNode(at: place, isDirectory: change.isDirectory) else { return }
            tree?.setIdentity(of: node, identity ?? known ?? .unknown)
            // The event of its close may be lost.
            if !change.isDirectory, change.kind != .moved { awaitClosing(of: node) }
        }
    }

    /// Records that a file or directory exists at the path of the root.
    private func applyOwn(_ isDirectory: Bool, _ identity: FileIdentity?) {
        // Numbers that differ from the real ones, so that the next check walks the directory.
        rootFile = RootFile(device: 0, inode: 0, isDirectory: isDirectory)
        if isDirectory {
            tree = tree ?? FileTree()
        } else {
            (tree, fileIdentity) = (nil, identity ?? .unknown)
            awaitClosing(of: FileTree.root)
        }
    }

    /// Returns the part of a path below the root; `nil` if the path is not below it.
    func below(_ path: BytePath) -> [UInt8]? {
        if path == self.path { return [] }
        let prefix = self.path == "/" ? [BytePath.slash] : self.path.bytes + [BytePath.slash]
        return path.bytes.starts(with: prefix) ? Array(path.bytes[prefix.count...]) : nil
    }

    private func node(at below: [UInt8]) -> FileTree.Node? {
        // If the root is a file, it has no tree; the root node stands for it.
        if below.isEmpty { return rootFile == nil ? nil : FileTree.root }
        return node(at: below[...], from: FileTree.root)
    }

    /// The node at a path below another node.
    func node(at below: ArraySlice<UInt8>, from start: FileTree.Node) -> FileTree.Node? {
        var node: FileTree.Node? = tree == nil ? nil : start
        for name in below.split(separator: BytePath.slash) { node = node.flatMap { tree?.find($0, name) } }
        return node
    }

    /// Returns the node at a path. Creates it, and the directories above it, if it is missing.
    private func makeNode(at below: [UInt8], isDirectory: Bool) -> FileTree.Node? {
        guard tree != nil else { return nil }
        var node = FileTree.root
        var rest = below.split(separator: BytePath.slash)[...]
        while let name = rest.popFirst() {
            let isDirectory = isDirectory || !rest.isEmpty
            if let known = tree?.find(node, name) {
                if tree?.isDirectory(known) == isDirectory {
                    node = known
                    continue
                }
                forget(known)
            }
            guard FileTree.isName(name), let new = tree?.add(node, name, isDirectory ? .directory : []) else {
                return nil
            }
            node = new
        }
        return node
    }

    private func forget(_ below: [UInt8]) {
        if below.isEmpty {
            (tree, rootFile, fileIdentity, unpairedMoves) = (nil, nil, nil, [:])
            (walkedEarly, beingWritten, possiblyOpen) = ([], [:], [:])
        } else if let node = node(at: below) {
            forget(node)
        }
    }

    private func forget(_ node: FileTree.Node) {
        for member in (tree?.subtree(of: node) ?? []).reversed() {
            walkedEarly.remove(member)
            (beingWritten[member], possiblyOpen[member]) = (nil, nil)
            tree?.remove(member)
        }
    }
}

extension FileChange {
    /// The changes that restore a tree to the state before this one.
    fileprivate var inverses: [FileChange] {
        switch (kind, from) {
        case (.created, _): [FileChange(.removed, path)]
        case (.removed, _): [FileChange(.created, path, isDirectory: isDirectory)]
        case (.modified, nil): [FileChange(.modified, path, isDirectory: isDirectory)]
        case (.moved, let from?): [FileChange(.moved, from, from: path, isDirectory: isDirectory)]
        // The change has replaced a file, and the new file may have been modified before.
        case (.modified, let from?):
            [FileChange(.moved, from, from: path), FileChange(.modified, from), FileChange(.created, path)]
        case (.moved, nil), (.attributes, _), (.closed, _), (.overflow, _): []
        }
    }
}

extension [UInt8] {
    /// The path without its last component.
    fileprivate var dropLastName: [UInt8] { Array(self[..<(lastIndex(of: BytePath.slash) ?? 0)]) }

    /// The last component of the path.
    fileprivate var name: ArraySlice<UInt8> { self[((lastIndex(of: BytePath.slash) ?? -1) + 1)...] }
}
