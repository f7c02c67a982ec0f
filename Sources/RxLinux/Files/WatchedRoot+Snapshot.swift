extension WatchedRoot {
    func write(to snapshot: inout WatchSnapshotWriter) {
        snapshot.put(path.bytes)
        snapshot.put(tree) { $1.write(to: &$0) }
        snapshot.put(rootFile) {
            $0.put($1.device)
            $0.put($1.inode)
            $0.put($1.isDirectory)
        }
        snapshot.put(fileIdentity) { $0.put(raw: [$1]) }
        snapshot.put(each: ancestorWatches) {
            $0.put($1.key)
            $0.put(each: $1.value) { $0.put($1) }
        }
        snapshot.put(each: unpairedMoves.sorted { $0.value.order < $1.value.order }) {
            $0.put($1.key)
            $0.put($1.value.node)
            $0.put($1.value.path.bytes)
            $0.put($1.value.isStale)
        }
        snapshot.put(each: walkedEarly) { $0.put($1) }
        snapshot.put(each: beingWritten.keys) { $0.put($1) }
        snapshot.put(each: possiblyOpen.keys) { $0.put($1) }
        for flag in [hasMovedDirectory, isDue, rootWrites.contains(.written), degradation != nil || isBehind] {
            snapshot.put(flag)
        }
        snapshot.put(detection.number)
    }

    /// Reads the state that another root of the same path has written.
    func read(from snapshot: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption) {
        tree = try snapshot.optional { t throws(WatchSnapshotReader.Corruption) in try FileTree(from: &t) }
        rootFile = try snapshot.optional { t throws(WatchSnapshotReader.Corruption) in
            RootFile(device: try t.integer(), inode: try t.integer(), isDirectory: try t.bool())
        }
        fileIdentity = try snapshot.optional { t throws(WatchSnapshotReader.Corruption) in try t.raw(1)[0] }
        try snapshot.each { t throws(WatchSnapshotReader.Corruption) in
            ancestorWatches[try t.integer()] = Set(
                try t.list { t throws(WatchSnapshotReader.Corruption) in try t.bytes() })
        }
        try snapshot.each { t throws(WatchSnapshotReader.Corruption) in
            let cookie: UInt32 = try t.integer()
            let node = try node(from: &t)
            guard tree?.name(of: node).elementsEqual(Self.temporaryName(cookie)) == true else {
                throw WatchSnapshotReader.Corruption()
            }
            unpairedMoves[cookie] = UnpairedMove(
                node: node, path: BytePath(bytes: try t.bytes()), since: .now,
                order: unpairedMoves.count + 1, isStale: try t.bool())
            lastUnpairedMove = unpairedMoves.count
        }
        try snapshot.each { t throws(WatchSnapshotReader.Corruption) in walkedEarly.insert(try node(from: &t)) }
        try snapshot.each { t throws(WatchSnapshotReader.Corruption) in beingWritten[try node(from: &t)] = .now }
        try snapshot.each { t throws(WatchSnapshotReader.Corruption) in possiblyOpen[try node(from: &t)] = .now }
        (hasMovedDirectory, isDue) = (try snapshot.bool(), try snapshot.bool())
        rootWrites = try snapshot.bool() ? .written : []
        wasDegraded = try snapshot.bool()
        detection = try FileSystemKind(number: snapshot.integer())
        guard (tree != nil) == (rootFile?.isDirectory == true) else { throw WatchSnapshotReader.Corruption() }
    }

    private func node(from snapshot: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption) -> FileTree.Node
    {
        let node: FileTree.Node = try snapshot.integer()
        // If the root is a file, it has no tree; the root node stands for it.
        guard node == FileTree.root || tree?.isInUse(node) == true else { throw WatchSnapshotReader.Corruption() }
        return node
    }
}

extension FileSystemKind {
    fileprivate var number: UInt8 {
        switch self {
        case .watched: 0
        case .polled: 1
        case .content: 2
        }
    }

    fileprivate init(number: UInt8) throws(WatchSnapshotReader.Corruption) {
        switch number {
        case 0: self = .watched
        case 1: self = .polled
        case 2: self = .content
        default: throw WatchSnapshotReader.Corruption()
        }
    }
}
