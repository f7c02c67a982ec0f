import Glibc

extension WatchedRoot {
    /// Handles an event of a watched directory.
    func receive(_ event: InotifyEvent, at node: FileTree.Node) {
        if isSkippingChanges() { return }
        if node == FileTree.none { return receiveAncestorEvent(event) }
        guard tree != nil else { return }
        if event.name.isEmpty { return receiveOwn(event, node) }
        if !unpairedMoves.isEmpty, let cookie = moveCookie(in: tree?.path(of: node) ?? []) {
            unpairedMoves[cookie]?.isStale = true
            return
        }
        guard !isExcluded(event.name, in: node) else { return receiveExcluded(event, in: node) }
        if event.has(IN_CREATE) {
            created(event.name, in: node, event.isDirectory)
        } else if event.has(IN_MOVED_TO) {
            movedTo(event, in: node)
        } else if let known = tree?.find(node, event.name) {
            if tree?.isDirectory(known) != event.isDirectory {
                receiveEarlier(event, than: known)
            } else if event.has(IN_MOVED_FROM) {
                movedFrom(known, event.cookie)
            } else if event.has(IN_DELETE) {
                let isLink = tree?.isLink(known) ?? false
                removeAll(below: known, emitting: true, isSynthetic: false)
                if isLink { directoriesOfLinks.insert(node) }
            } else if event.has(IN_MODIFY) {
                written(known)
            } else if event.has(IN_CLOSE_WRITE) {
                closed(known)
            } else if event.has(IN_ATTRIB) {
                emit(.attributes, tree?.path(of: known) ?? [], isDirectory: event.isDirectory)
                if unreadable.contains(known) { walk(from: known, emitting: true) }
            }
        } else if event.has(IN_CLOSE_WRITE) || event.has(IN_MODIFY) {
            created(event.name, in: node, event.isDirectory)
            if event.has(IN_CLOSE_WRITE), let known = tree?.find(node, event.name) { emitClosed(known) }
        } else if core.handoverState.isUncertain, event.has(IN_DELETE) || event.has(IN_MOVED_FROM) {
            let parent = tree?.path(of: node) ?? []
            let path = parent.isEmpty ? event.name : parent + [BytePath.slash] + event.name
            emit(.removed, path, isDirectory: event.isDirectory, isSynthetic: true)
        }
    }

    /// Handles an event of a file that had the name of a directory before, or of a directory that had that of a file. A
    /// walk has found the later one, the event of whose creation follows.
    private func receiveEarlier(_ event: InotifyEvent, than known: FileTree.Node) {
        guard event.has(IN_DELETE) || event.has(IN_MOVED_FROM) else { return }
        removeAll(below: known, emitting: true, isSynthetic: false)
    }

    /// Clears the watch of a directory, after the kernel has removed it.
    func lost(_ watch: Int32, at node: FileTree.Node) {
        if node == FileTree.none {
            ancestorWatches[watch] = nil
            due()
        } else if tree?.watch(of: node) == watch {
            tree?.setWatch(of: node, -1)
            if node == FileTree.root { due() }
        }
    }

    private func due() {
        isDue = true
    }

    /// Handles an event of a directory that leads to the root, or of the root itself if it is a file.
    private func receiveAncestorEvent(_ event: InotifyEvent) {
        if event.name.isEmpty {
            if event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF) || event.has(IN_UNMOUNT) { due() }
        } else if ancestorWatches[event.watch]?.contains(event.name) == true {
            if rootFile?.isDirectory == false, event.has(IN_MODIFY) || event.has(IN_CLOSE_WRITE) {
                // Writes to a file that stays open are emitted when it has settled, or periodically.
                if event.has(IN_MODIFY) { rootWrites.insert(.written) }
                possiblyOpen[FileTree.root] = possiblyOpen[FileTree.root].map { _ in .now }
                if event.has(IN_CLOSE_WRITE) { rootWrites.insert(.closed) }
                if event.has(IN_CLOSE_WRITE) || request.settle > .zero {
                    due()
                } else {
                    beingWritten[FileTree.root] = beingWritten[FileTree.root] ?? .now
                }
            } else if event.has(IN_ATTRIB) {
                if rootFile?.isDirectory == false { emit(.attributes, [], isDirectory: false) }
                // The cause may be the removal of the file, or of another hard link to it.
                due()
            } else if event.mask & FileWatcherCore.names != 0 {
                due()
            }
        }
    }

    private func receiveOwn(_ event: InotifyEvent, _ node: FileTree.Node) {
        // For other nodes, the watch of their directory reports the same event.
        guard node == FileTree.root else { return }
        if event.has(IN_ATTRIB) {
            emit(.attributes, [], isDirectory: true)
        } else if event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF) || event.has(IN_UNMOUNT) {
            due()
        }
    }

    /// Handles an event of an excluded name.
    private func receiveExcluded(_ event: InotifyEvent, in node: FileTree.Node) {
        // An excluded link may lead to watched files: Kubernetes swaps such a link.
        if !event.isDirectory, event.has(IN_CREATE) || event.has(IN_MOVED_TO), isLink(event.name, in: node) {
            directoriesOfLinks.insert(node)
        }
        if event.has(IN_MOVED_TO), let move = unpairedMoves.removeValue(forKey: event.cookie) {
            emitRemoval(move)
        }
    }
}
