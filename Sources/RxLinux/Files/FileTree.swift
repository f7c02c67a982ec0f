/// The files and directories in a watched directory, as they were when they were last examined.
///
/// A file takes some fifty bytes and its name, since there may be hundreds of thousands. A node is a number, its
/// properties are in parallel arrays, and all names are in one byte array. A hash table finds a node by its parent and
/// its name.
struct FileTree {
    typealias Node = Int32

    static let none: Node = -1
    static let root: Node = 0

    /// The kind of a file, and what a walk knows about it.
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let directory = Flags(rawValue: 1)
        static let link = Flags(rawValue: 2)
        /// The file was written and is not closed yet.
        static let isBeingWritten = Flags(rawValue: 4)
        /// The current walk has found the file.
        static let seen = Flags(rawValue: 8)
        static let free = Flags(rawValue: 16)
        /// This process has emitted the creation of the file.
        static let new = Flags(rawValue: 32)
    }

    private(set) var parents: [Node] = []
    private var firstChildren: [Node] = []
    private var nextSiblings: [Node] = []
    private var previousSiblings: [Node] = []
    private var nameStarts: [UInt32] = []
    private var nameLengths: [UInt16] = []
    private var watches: [Int32] = []
    private var flags: [Flags] = []
    private var identities: [FileIdentity] = []
    private var names: [UInt8] = []
    private var wasted = 0
    private var freeNodes: [Node] = []
    /// The hash table, with open addressing; its size is a power of two.
    private var slots = [Node](repeating: FileTree.none, count: 64)
    private var usedSlots = 0
    /// The mark of a slot whose node was removed.
    private static let tombstone: Node = -2
    private var tombstones = 0

    /// Creates a tree with only its root.
    init() {
        _ = makeNode(FileTree.none, [], .directory)
    }

    /// The parts of a tree from which the others can be derived.
    struct StoredTree {
        var parents: [Node]
        var watches: [Int32]
        var flags: [Flags]
        var identities: [FileIdentity]
        var nameLengths: [UInt16]
        /// The names of all nodes, in the order of the nodes.
        var names: [UInt8]
    }

    /// Restores a tree; `nil` if the parts do not form one.
    init?(_ saved: StoredTree) {
        let count = saved.parents.count
        guard count > 0, count <= Node.max, saved.names.count <= UInt32.max, saved.parents[0] == FileTree.none,
            saved.flags[0] == .directory,
            saved.nameLengths.reduce(0, { $0 + Int($1) }) == saved.names.count
        else { return nil }
        (parents, watches, flags, identities) = (saved.parents, saved.watches, saved.flags, saved.identities)
        (nameLengths, names) = (saved.nameLengths, saved.names)
        for list in [\FileTree.firstChildren, \.nextSiblings, \.previousSiblings] {
            self[keyPath: list] = [Node](repeating: FileTree.none, count: count)
        }
        nameStarts.reserveCapacity(count)
        var start: UInt32 = 0
        for length in nameLengths {
            nameStarts.append(start)
            start += UInt32(length)
        }
        for node in 1..<Node(count) {
            guard !has(node, .free) else {
                freeNodes.append(node)
                continue
            }
            let parent = parents[Int(node)]
            guard parent >= 0, parent < count, !has(parent, .free), isName(of: node, in: parent),
                find(parent, name(of: node)) == nil
            else { return nil }
            link(node, to: parent)
        }
        // A node that is its own ancestor cannot be reached from the root.
        guard subtree(of: FileTree.root).count == self.count else { return nil }
    }

    /// Whether a node's name is a valid file name, or the temporary name of a file that is being moved. Another name
    /// would lead a walk out of the tree, or into a loop.
    private func isName(of node: Node, in parent: Node) -> Bool {
        let name = name(of: node)
        if name.first == 0 { return parent == FileTree.root && name.count == 1 + MemoryLayout<UInt32>.size }
        return Self.isName(name)
    }

    /// Whether a file can have this name.
    static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        !name.isEmpty && !name.elementsEqual([0x2E]) && !name.elementsEqual([0x2E, 0x2E])
            && !name.contains { $0 == 0 || $0 == BytePath.slash }
    }

    /// Whether a node can move to this parent under this name: it exists, it is not an ancestor of the parent, and the
    /// name is free there.
    func mayMove(_ node: Node, to parent: Node, _ name: ArraySlice<UInt8>) -> Bool {
        guard node != FileTree.root, isInUse(node), isInUse(parent), Self.isName(name), find(parent, name) == nil else {
            return false
        }
        var above = parent
        while above != FileTree.root {
            if above == node { return false }
            above = parents[Int(above)]
        }
        return true
    }

    var saved: StoredTree {
        var names: [UInt8] = []
        names.reserveCapacity(self.names.count - wasted)
        for node in parents.indices { names += name(of: Node(node)) }
        return StoredTree(
            parents: parents, watches: watches, flags: flags, identities: identities, nameLengths: nameLengths,
            names: names)
    }

    func isInUse(_ node: Node) -> Bool { parents.indices.contains(Int(node)) && !has(node, .free) }

    /// Clears the kernel's watches, and the marks of creations that this process has emitted.
    mutating func forgetWatches() {
        for node in watches.indices {
            watches[node] = -1
            flags[node].remove(.new)
        }
    }

    /// The nodes that are watched.
    var watched: [(node: Node, watch: Int32)] {
        watches.indices.filter { watches[$0] >= 0 }.map { (Node($0), watches[$0]) }
    }

    /// The number of nodes, including the root.
    var count: Int { parents.count - freeNodes.count }

    /// The most memory of a node without its name: in the arrays, which have up to twice the length that they need, in
    /// the hash table, in two snapshots in memory, and of its watch.
    static let nodeMemory = 216

    /// The most memory of a byte of a name: twice in the array, with its room to grow and the names that are not used any
    /// more, in two snapshots, and in the copy while one is written.
    static let nameByteMemory = 5

    /// The memory of a file, with its part of the snapshots.
    static func memory(ofFileNamed name: some Collection<UInt8>) -> Int { nodeMemory + nameByteMemory * name.count }

    /// The memory of all files, as ``memory(ofFileNamed:)`` counts it.
    var memory: Int { count * Self.nodeMemory + Self.nameByteMemory * (names.count - wasted) }

    /// The allocated size of the array of names in bytes, for tests.
    var nameCapacity: Int { names.capacity }

    // MARK: nodes

    func isDirectory(_ node: Node) -> Bool { flags[Int(node)].contains(.directory) }
    func isLink(_ node: Node) -> Bool { flags[Int(node)].contains(.link) }

    func has(_ node: Node, _ flag: Flags) -> Bool { flags[Int(node)].contains(flag) }

    mutating func set(_ node: Node, _ flag: Flags, _ value: Bool) {
        if value { flags[Int(node)].insert(flag) } else { flags[Int(node)].remove(flag) }
    }

    func watch(of node: Node) -> Int32 { watches[Int(node)] }
    mutating func setWatch(of node: Node, _ watch: Int32) { watches[Int(node)] = watch }

    func identity(of node: Node) -> FileIdentity { identities[Int(node)] }
    mutating func setIdentity(of node: Node, _ identity: FileIdentity) { identities[Int(node)] = identity }

    func parent(of node: Node) -> Node { parents[Int(node)] }

    func name(of node: Node) -> ArraySlice<UInt8> {
        let start = Int(nameStarts[Int(node)])
        return names[start..<start + Int(nameLengths[Int(node)])]
    }

    /// The path below the root, without a leading slash; empty for the root.
    func path(of node: Node) -> [UInt8] {
        var chain: [Node] = []
        var length = 0
        var next = node
        while next != FileTree.root, next >= 0 {
            chain.append(next)
            length += Int(nameLengths[Int(next)]) + 1
            next = parents[Int(next)]
        }
        var path: [UInt8] = []
        path.reserveCapacity(length)
        for member in chain.reversed() {
            if !path.isEmpty { path.append(BytePath.slash) }
            path += name(of: member)
        }
        return path
    }

    /// Returns the children of a node.
    func children(of node: Node) -> [Node] {
        var children: [Node] = []
        var next = firstChildren[Int(node)]
        while next >= 0 {
            children.append(next)
            next = nextSiblings[Int(next)]
        }
        return children
    }

    /// Returns the node and its descendants, each parent before its children.
    func subtree(of node: Node) -> [Node] {
        var all = [node]
        var index = 0
        while index < all.count {
            var next = firstChildren[Int(all[index])]
            while next >= 0 {
                all.append(next)
                next = nextSiblings[Int(next)]
            }
            index += 1
        }
        return all
    }

    func find(_ parent: Node, _ name: some Collection<UInt8>) -> Node? {
        var place = hash(parent, name) & (slots.count - 1)
        while slots[place] != FileTree.none {
            let node = slots[place]
            if node >= 0, parents[Int(node)] == parent, self.name(of: node).elementsEqual(name) { return node }
            place = (place + 1) & (slots.count - 1)
        }
        return nil
    }

    // MARK: changes

    mutating func add(_ parent: Node, _ name: some Collection<UInt8>, _ kind: Flags) -> Node {
        let node = makeNode(parent, name, kind)
        link(node, to: parent)
        return node
    }

    /// Removes a node that has no children.
    mutating func remove(_ node: Node) {
        unlink(node)
        wasted += Int(nameLengths[Int(node)])
        nameLengths[Int(node)] = 0
        flags[Int(node)] = .free
        watches[Int(node)] = -1
        parents[Int(node)] = FileTree.none
        freeNodes.append(node)
    }

    /// Moves a node to another parent under a name that is free there.
    mutating func move(_ node: Node, to parent: Node, _ name: some Collection<UInt8>) {
        unlink(node)
        wasted += Int(nameLengths[Int(node)])
        // Storing the new name may pack the names, without the old one.
        nameLengths[Int(node)] = 0
        store(name, of: node)
        parents[Int(node)] = parent
        link(node, to: parent)
    }

    private mutating func makeNode(_ parent: Node, _ name: some Collection<UInt8>, _ kind: Flags) -> Node {
        let node: Node
        if let free = freeNodes.popLast() {
            node = free
            firstChildren[Int(node)] = FileTree.none
        } else {
            node = Node(parents.count)
            parents.append(FileTree.none)
            firstChildren.append(FileTree.none)
            nextSiblings.append(FileTree.none)
            previousSiblings.append(FileTree.none)
            nameStarts.append(0)
            nameLengths.append(0)
            watches.append(-1)
            flags.append(kind)
            identities.append(.unknown)
        }
        parents[Int(node)] = parent
        flags[Int(node)] = kind
        identities[Int(node)] = .unknown
        watches[Int(node)] = -1
        store(name, of: node)
        return node
    }

    private mutating func store(_ name: some Collection<UInt8>, of node: Node) {
        if wasted > Self.maximumWaste, wasted * 4 > names.count { packNames() }
        // By a quarter, where an array would double its size.
        let end = names.count + name.count
        if end > names.capacity { names.reserveCapacity(end + max(64, end / 4)) }
        nameStarts[Int(node)] = UInt32(names.count)
        nameLengths[Int(node)] = UInt16(clamping: name.count)
        names += name
    }

    /// The bytes of unused names that are kept in any case. Of more, a quarter of the array at most.
    static let maximumWaste = 64 * 1024

    private mutating func packNames() {
        var packed: [UInt8] = []
        packed.reserveCapacity(names.count - wasted)
        for node in nameStarts.indices {
            let name = self.name(of: Node(node))
            nameStarts[node] = UInt32(packed.count)
            packed += name
        }
        names = packed
        wasted = 0
    }

    private mutating func link(_ node: Node, to parent: Node) {
        let first = firstChildren[Int(parent)]
        nextSiblings[Int(node)] = first
        previousSiblings[Int(node)] = FileTree.none
        if first >= 0 { previousSiblings[Int(first)] = node }
        firstChildren[Int(parent)] = node
        if (usedSlots + tombstones + 1) * 4 > slots.count * 3 { rebuildSlots() }
        insert(node)
    }

    private mutating func unlink(_ node: Node) {
        let (previous, next) = (previousSiblings[Int(node)], nextSiblings[Int(node)])
        if previous >= 0 { nextSiblings[Int(previous)] = next } else { firstChildren[Int(parents[Int(node)])] = next }
        if next >= 0 { previousSiblings[Int(next)] = previous }
        var place = hash(parents[Int(node)], name(of: node)) & (slots.count - 1)
        while slots[place] != node { place = (place + 1) & (slots.count - 1) }
        slots[place] = Self.tombstone
        usedSlots -= 1
        tombstones += 1
    }

    private mutating func insert(_ node: Node) {
        var place = hash(parents[Int(node)], name(of: node)) & (slots.count - 1)
        while slots[place] >= 0 { place = (place + 1) & (slots.count - 1) }
        if slots[place] == Self.tombstone { tombstones -= 1 }
        slots[place] = node
        usedSlots += 1
    }

    private mutating func rebuildSlots() {
        let nodes = slots.filter { $0 >= 0 }
        var size = 64
        while size < (nodes.count + 1) * 2 { size *= 2 }
        slots = [Node](repeating: FileTree.none, count: size)
        usedSlots = 0
        tombstones = 0
        nodes.forEach { insert($0) }
    }

    /// FNV-1a, seeded with the parent.
    private func hash(_ parent: Node, _ name: some Collection<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(UInt32(bitPattern: parent)) &* 0x9E37_79B9_7F4A_7C15
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
    }
}

extension MemoryQuota {
    /// Makes a quota for the trees of all cores of a watcher: a quarter of the memory limit of the process, and at most enough
    /// for some three million files.
    static func forFileTrees() -> MemoryQuota {
        MemoryQuota(limit: min(768_000_000, MemoryLimit.byteCount().map { $0 / 4 } ?? .max))
    }
}
