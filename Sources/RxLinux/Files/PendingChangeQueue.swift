/// Changes that are pending until their files have settled. Several changes of a path are combined.
///
/// The changes of a path are emitted when it has settled, but after the changes that they depend on: the creation of a
/// directory is emitted before changes in it, and a move away from a path before the creation of another file there.
struct PendingChangeQueue {
    /// A pending change, with its number, which gives the order of emission.
    private struct NumberedChange {
        var combined: PendingChange
        var number: UInt64
    }

    private var pending: [BytePath: NumberedChange] = [:]
    /// The pending paths by directory.
    private var members: [BytePath: Set<BytePath>] = [:]
    /// The paths that files moved to, by the paths that they moved from.
    private var destinations: [BytePath: BytePath] = [:]
    /// The pending paths with their due times, in order. A path that has changed again has a second, later entry.
    private var queue: Queue<(path: BytePath, number: UInt64, due: SuspendingClock.Instant)> = []
    private var lastNumber: UInt64 = 0
    /// The changes to emit.
    private var emitted: [FileChange] = []

    /// The time at which there may be changes to emit; `nil` for never.
    var nextDue: SuspendingClock.Instant? { queue.first?.due }

    var paths: Set<BytePath> { Set(pending.keys) }

    /// The number of pending paths.
    var count: Int { pending.count }

    /// All changes, in the order in which they would be emitted.
    var all: [FileChange] {
        var copy = self
        return copy.settle(until: nil)
    }

    /// Adds a change, which may be emitted from `due` on.
    ///
    /// - Returns: the changes to emit at once.
    mutating func receive(_ change: FileChange, due: SuspendingClock.Instant) -> [FileChange] {
        switch change.kind {
        case .overflow: return [change]
        case .moved where change.isDirectory: return receiveMove(change)
        default: break
        }
        let source = change.from.flatMap { remove($0) }
        var combined = remove(change.path) ?? PendingChange(before: change)
        let left = combined.add(change, source: source)
        dropUnorderedMoves(to: &combined)
        if let left { keep(left, due) }
        if !combined.changes.isEmpty { keep(combined, due) }
        return []
    }

    /// Converts a move to a removal and a creation if no order of changes describes it: the file is now inside a new
    /// directory at its old path, or inside a directory that depends on such a new directory.
    private mutating func dropUnorderedMoves(to combined: inout PendingChange) {
        let path = combined.path
        for origin in combined.origins where pending[origin]?.combined.isNewDirectory == true {
            guard path.isIn(origin) || path.parents.contains(where: { destinations[$0] != nil }) else { continue }
            combined.dropOrigin(origin)
            pending[origin]?.combined.replaceFile()
        }
    }

    /// Removes and returns the changes that are due at `now`, or all changes for `nil`.
    mutating func settle(until now: SuspendingClock.Instant?) -> [FileChange] {
        while let entry = queue.first, now.map({ entry.due <= $0 }) ?? true {
            _ = queue.popFirst()
            if pending[entry.path]?.number == entry.number { settle(entry.path) }
        }
        return takeEmitted()
    }

    /// Emits the pending changes inside a directory before its move, which changes their paths.
    private mutating func receiveMove(_ change: FileChange) -> [FileChange] {
        let ends = [change.path, change.from].compactMap(\.self)
        // Look through the directories instead of all paths, of which there may be many more.
        var paths = Set(ends.filter { pending[$0] != nil })
        for (directory, members) in members where ends.contains(where: directory.isIn) { paths.formUnion(members) }
        for (origin, destination) in destinations where ends.contains(where: origin.isIn) { paths.insert(destination) }
        let inside = paths.compactMap { pending[$0] }.sorted { $0.number < $1.number }
        for end in ends { settle(above: end) { _ in true } }
        for one in inside { settle(one.combined.path) }
        return takeEmitted() + [change]
    }

    private mutating func takeEmitted() -> [FileChange] {
        defer { emitted = [] }
        return emitted
    }

    private mutating func keep(_ combined: PendingChange, _ due: SuspendingClock.Instant) {
        lastNumber += 1
        pending[combined.path] = NumberedChange(combined: combined, number: lastNumber)
        members[combined.path.parent, default: []].insert(combined.path)
        for origin in combined.origins { destinations[origin] = combined.path }
        queue.append((combined.path, lastNumber, due))
        // Remove the outdated entries when they are the majority.
        if queueCount > 2 * pending.count + 64 {
            queue = Queue(queue.filter { pending[$0.path]?.number == $0.number })
        }
    }

    /// The number of entries in the queue, including outdated ones.
    var queueCount: Int { queue.count }

    private mutating func remove(_ path: BytePath) -> PendingChange? {
        guard let combined = pending.removeValue(forKey: path)?.combined else { return nil }
        let parent = path.parent
        members[parent]?.remove(path)
        if members[parent]?.isEmpty == true { members[parent] = nil }
        for origin in combined.origins where destinations[origin] == path { destinations[origin] = nil }
        return combined
    }

    /// Emits the changes of a path, after those that they depend on.
    private mutating func settle(_ path: BytePath) {
        var chain: [PendingChange] = []
        var next: BytePath? = path
        while let one = next, let combined = remove(one) {
            chain.append(combined)
            next = destinations[one]
        }
        guard let last = chain.last else { return }
        // If files were exchanged with one another, no order of moves describes that.
        let start = chain.dropLast().firstIndex { $0.origins.contains(last.path) } ?? chain.endIndex
        let swapped = Set(chain[start...].map(\.path))
        for combined in chain.reversed() {
            settle(above: combined)
            // Moves out of a directory and removals in it come before the removal of the directory.
            if combined.removesDirectory {
                for member in members[combined.path] ?? [] { settle(member) }
                for (origin, destination) in destinations where origin.isIn(combined.path) { settle(destination) }
            }
            emitted += swapped.contains(combined.path) ? combined.changes(among: swapped) : combined.changes
        }
    }

    /// Emits the changes of the directories above a path, from the outermost on, except that the removal of a directory
    /// is emitted after the removals in it.
    private mutating func settle(above combined: PendingChange) {
        settle(above: combined.path) { !combined.isGone || !$0.removesDirectory }
    }

    private mutating func settle(above path: BytePath, where isBefore: (PendingChange) -> Bool) {
        if pending.isEmpty { return }
        let directories = path.parents.filter { pending[$0].map { isBefore($0.combined) } == true }
        for directory in directories.reversed() { settle(directory) }
    }
}

extension BytePath {
    /// The directories above the path, from the innermost on, without the root of the file system.
    fileprivate var parents: [BytePath] {
        var parents: [BytePath] = []
        var above = parent
        while above.bytes.count > 1, above != "." {
            parents.append(above)
            above = above.parent
        }
        return parents
    }

    /// Whether the path is that of this directory, or is below it.
    fileprivate func isIn(_ directory: BytePath) -> Bool {
        let (own, above) = (bytes, directory.bytes)
        return own.count >= above.count && own.starts(with: above)
            && (own.count == above.count || own[above.count] == BytePath.slash)
    }
}
