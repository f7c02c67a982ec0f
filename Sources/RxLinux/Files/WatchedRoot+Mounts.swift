import Glibc

extension WatchedRoot {
    /// Something has been mounted, or is no more.
    func mountsChanged(_ changed: Set<Mount>) {
        if isHeldBack() { return }
        let isWalked = check()
        findPolledParts()
        guard !isWalked, let real = realPath() else { return }
        for mount in changed {
            if let node = node(at: mount.point, below: real), node != FileTree.root { walk(from: node, telling: true) }
        }
    }

    /// Finds what is mounted within, and has to be looked at now and then.
    func findPolledParts() {
        polledParts = []
        guard !core.polledMounts.isEmpty, look == .watched, request.recursive, presence?.isDirectory == true,
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
