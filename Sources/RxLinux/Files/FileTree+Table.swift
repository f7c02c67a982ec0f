extension FileTree {
    func write(to table: inout TableWriter) {
        let saved = saved
        table.put(UInt32(saved.parents.count))
        table.put(raw: saved.parents)
        table.put(raw: saved.watches)
        table.put(raw: saved.flags)
        table.put(raw: saved.identities)
        table.put(raw: saved.nameLengths)
        table.put(saved.names)
    }

    /// The nodes keep their numbers.
    init(from table: inout TableReader) throws(TableReader.Corruption) {
        let count = Int(try table.integer(UInt32.self))
        let saved = Saved(
            parents: try table.raw(count), watches: try table.raw(count), flags: try table.raw(count),
            identities: try table.raw(count), nameLengths: try table.raw(count), names: try table.bytes())
        guard let tree = FileTree(saved) else { throw TableReader.Corruption() }
        self = tree
    }
}
