import Glibc

extension WatchedRoot {
    // MARK: ancestors

    /// Watches the directories that the path leads through, so that the kernel reports when the path leads to another
    /// file.
    ///
    /// - Returns: whether there is a new watch.
    func watchAncestors() -> Bool {
        guard detection == .watched else { return false }
        var ancestorWatches: [Int32: Set<[UInt8]>] = [:]
        var isNew = false
        // The watch of a file's directory reports writes to the file.
        let watchesWrites = rootFile?.isDirectory == false
        let last = watchesWrites ? FileWatcherCore.everything : FileWatcherCore.names | UInt32(IN_ATTRIB)
        for (directory, name, isLast) in PathSteps(path).all {
            switch core.watch(directory, isLast ? last : FileWatcherCore.names, number, FileTree.none) {
            case .success(let watch):
                ancestorWatches[watch, default: []].insert(name)
                if self.ancestorWatches[watch] == nil { isNew = true }
            case .failure(let error):
                // The kernel reports no events of a directory that cannot be read.
                if Self.shortages.contains(error.number) || isLast && error.number == EACCES { degrade(error) }
            }
        }
        for watch in self.ancestorWatches.keys where ancestorWatches[watch] == nil {
            core.unwatch(watch, number, FileTree.none)
        }
        self.ancestorWatches = ancestorWatches
        if watchesWrites, !ancestorsReportWrites { isNew = true }
        ancestorsReportWrites = watchesWrites
        return isNew
    }

    // MARK: symbolic links

    /// Emits links whose targets have changed: all of them.
    func checkLinks() {
        directoriesOfLinks = []
        checkLinks(among: tree?.subtree(of: FileTree.root) ?? [])
    }

    /// Emits links whose targets have changed, in the directories in which a link has changed.
    func checkLinksOfDirectories() {
        while let directory = directoriesOfLinks.popFirst() {
            // The directory may have been removed, and a file may have its number.
            guard tree?.isInUse(directory) == true, tree?.isDirectory(directory) == true else { continue }
            checkLinks(among: tree?.children(of: directory) ?? [])
        }
    }

    private func checkLinks(among nodes: [FileTree.Node]) {
        for link in nodes where tree?.isLink(link) == true {
            // Emitting a change may have removed another link.
            guard tree?.isInUse(link) == true else { continue }
            let path = tree?.path(of: link) ?? []
            // A node that is being moved has no path.
            guard moveCookie(in: path) == nil else { continue }
            let identity = identity(ofLink: whole(path))
            guard identity != tree?.identity(of: link), identity != .unknown else { continue }
            if isSkippingChanges() { return }
            tree?.setIdentity(of: link, identity)
            emit(.modified, path, isDirectory: false, isSynthetic: true)
        }
    }

    /// Identifies a symbolic link by its target.
    func identity(ofLink path: BytePath) -> FileIdentity {
        core.identity(ofUnfollowed: path) ?? FileIdentity(of: path) ?? .unknown
    }

    /// Whether the entry `name` of a directory is a symbolic link.
    func isLink(_ name: [UInt8], in node: FileTree.Node) -> Bool {
        var status = stat()
        let path = whole(tree?.path(of: node) ?? []).appending(BytePath(bytes: name))
        return path.withCString { lstat($0, &status) == 0 } && status.st_mode & S_IFMT == S_IFLNK
    }
}
