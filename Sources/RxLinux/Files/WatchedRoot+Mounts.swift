import Glibc

extension WatchedRoot {
    /// Compares the files at mounts that were added or removed.
    func mountsChanged(_ changed: Set<Mount>) {
        if isSkippingChanges() { return }
        let isWalked = check()
        findPolledParts()
        guard !isWalked, request.recursive, let real = realPath() else { return }
        for mount in changed {
            if let node = node(at: mount.point, below: real), node != FileTree.root { walk(from: node, emitting: true) }
        }
    }

    /// Finds the mounts below the root that are polled.
    func findPolledParts() {
        polledParts = []
        guard !core.polledMounts.isEmpty, detection == .watched, request.recursive, rootFile?.isDirectory == true,
            let real = realPath()
        else { return }
        for mount in core.polledMounts {
            if let node = node(at: mount.point, below: real), node != FileTree.root { polledParts.insert(node) }
        }
    }

    /// The root's path without symbolic links.
    private func realPath() -> BytePath? {
        BytePath(taking: path.withCString { realpath($0, nil) })
    }

    private func node(at point: BytePath, below real: BytePath) -> FileTree.Node? {
        let above = real == "/" ? [] : real.bytes
        guard point.bytes.starts(with: above) else { return nil }
        let rest = point.bytes.dropFirst(above.count)
        guard rest.isEmpty || rest.first == BytePath.slash else { return nil }
        var node: FileTree.Node? = tree == nil ? nil : FileTree.root
        for name in rest.split(separator: BytePath.slash) { node = node.flatMap { tree?.find($0, name) } }
        return node
    }
}
