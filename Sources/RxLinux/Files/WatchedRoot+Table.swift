extension WatchedRoot {
    func write(to table: inout TableWriter) {
        table.put(path.bytes)
        table.put(tree) { $1.write(to: &$0) }
        table.put(presence) {
            $0.put($1.device)
            $0.put($1.inode)
            $0.put($1.isDirectory)
        }
        table.put(fileIdentity) { $0.put(raw: [$1]) }
        table.put(each: guards) {
            $0.put($1.key)
            $0.put(each: $1.value) { $0.put($1) }
        }
        table.put(each: departures) {
            $0.put($1.key)
            $0.put($1.value.node)
            $0.put($1.value.path.bytes)
            $0.put($1.value.isStale)
        }
        table.put(each: suspects) { $0.put($1) }
        table.put(each: beingWritten.keys) { $0.put($1) }
        for flag in [hasMovedDirectory, isDue, wasWritten, degradation != nil || isBehind] { table.put(flag) }
        table.put(look.number)
    }

    /// Takes in what another has written about the same path.
    func read(from table: inout TableReader) throws(TableReader.Corruption) {
        tree = try table.optional { t throws(TableReader.Corruption) in try FileTree(from: &t) }
        presence = try table.optional { t throws(TableReader.Corruption) in
            Presence(device: try t.integer(), inode: try t.integer(), isDirectory: try t.bool())
        }
        fileIdentity = try table.optional { t throws(TableReader.Corruption) in try t.raw(1)[0] }
        try table.each { t throws(TableReader.Corruption) in
            guards[try t.integer()] = Set(try t.list { t throws(TableReader.Corruption) in try t.bytes() })
        }
        try table.each { t throws(TableReader.Corruption) in
            let cookie: UInt32 = try t.integer()
            departures[cookie] = Departure(
                node: try node(from: &t), path: BytePath(bytes: try t.bytes()), since: .now, isStale: try t.bool())
        }
        try table.each { t throws(TableReader.Corruption) in suspects.insert(try node(from: &t)) }
        try table.each { t throws(TableReader.Corruption) in beingWritten[try node(from: &t)] = .now }
        (hasMovedDirectory, isDue, wasWritten) = (try table.bool(), try table.bool(), try table.bool())
        wasDegraded = try table.bool()
        look = try FileSystemKind(number: table.integer())
        guard (tree != nil) == (presence?.isDirectory == true) else { throw TableReader.Corruption() }
    }

    private func node(from table: inout TableReader) throws(TableReader.Corruption) -> FileTree.Node {
        let node: FileTree.Node = try table.integer()
        // Where the root is a file, it has the root's number.
        guard node == FileTree.root || tree?.isInUse(node) == true else { throw TableReader.Corruption() }
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

    fileprivate init(number: UInt8) throws(TableReader.Corruption) {
        switch number {
        case 0: self = .watched
        case 1: self = .polled
        case 2: self = .content
        default: throw TableReader.Corruption()
        }
    }
}
