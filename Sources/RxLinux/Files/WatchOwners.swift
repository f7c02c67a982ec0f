/// The nodes that own each of the kernel's watches, which roots may share.
struct WatchOwners {
    /// A directory of a tree that uses a watch.
    struct Owner: Hashable {
        let root: Int32
        let node: FileTree.Node
    }

    private var first: [Int32: Owner] = [:]
    private var others: [Int32: [Owner]] = [:]

    /// The number of watches.
    var count: Int { first.count }

    /// The first owner of a watch.
    func first(of watch: Int32) -> Owner? { first[watch] }

    /// The owners after the first.
    func others(of watch: Int32) -> [Owner] { others[watch] ?? [] }

    /// Whether a node still owns a watch.
    func has(_ owner: Owner, of watch: Int32) -> Bool {
        first[watch] == owner || others[watch]?.contains(owner) == true
    }

    mutating func add(_ owner: Owner, of watch: Int32) {
        guard let known = first[watch] else { return first[watch] = owner }
        if known != owner, others[watch]?.contains(owner) != true { others[watch, default: []].append(owner) }
    }

    /// Removes an owner of a watch.
    ///
    /// - Returns: whether it was the last owner of the watch.
    mutating func remove(_ owner: Owner, of watch: Int32) -> Bool {
        guard let known = first[watch] else { return false }
        if var rest = others[watch] {
            if known == owner { first[watch] = rest.removeFirst() } else { rest.removeAll { $0 == owner } }
            others[watch] = rest.isEmpty ? nil : rest
            return false
        }
        guard known == owner else { return false }
        first[watch] = nil
        return true
    }

    /// Removes a watch that the kernel has removed.
    mutating func removeAll(of watch: Int32) {
        (first[watch], others[watch]) = (nil, nil)
    }
}
