extension FileTree {
    func write(to snapshot: inout WatchSnapshotWriter) {
        let saved = saved
        snapshot.put(UInt32(saved.parents.count))
        snapshot.put(raw: saved.parents)
        snapshot.put(raw: saved.watches)
        snapshot.put(raw: saved.flags)
        snapshot.put(raw: saved.identities)
        snapshot.put(raw: saved.nameLengths)
        snapshot.put(saved.names)
    }

    /// Reads a tree, whose nodes keep their numbers.
    init(from snapshot: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption) {
        let count = Int(try snapshot.integer(UInt32.self))
        let saved = StoredTree(
            parents: try snapshot.raw(count), watches: try snapshot.raw(count), flags: try snapshot.raw(count),
            identities: try snapshot.raw(count), nameLengths: try snapshot.raw(count), names: try snapshot.bytes())
        guard let tree = FileTree(saved) else { throw WatchSnapshotReader.Corruption() }
        self = tree
    }
}
