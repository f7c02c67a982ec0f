import Glibc

extension WatchedRoot {
    // MARK: what leads here

    /// Watches the directories that the path leads through, so that it is known when something else is there.
    ///
    /// - Returns: whether there is one that was not watched before.
    func watchOver() -> Bool {
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
            if isHeldBack() { return }
            tree?.setIdentity(of: link, identity)
            emit(.modified, path, isDirectory: false, isSynthetic: true)
        }
    }

    /// Whether something called `name` in a directory is a symbolic link.
    func isLink(_ name: [UInt8], in node: FileTree.Node) -> Bool {
        var status = stat()
        let path = whole(tree?.path(of: node) ?? []).appending(BytePath(bytes: name))
        return path.withCString { lstat($0, &status) == 0 } && status.st_mode & S_IFMT == S_IFLNK
    }
}
