/// Changes that are kept back until nothing more has happened to their file for a while, one of several.
///
/// Each file is told when it has settled, but not before what it follows from: a directory comes before what is in it,
/// and what has left a path before what is there now.
struct PendingChanges {
    private struct Pending {
        var combined: PendingChange
        var number: UInt64
    }

    private var pending: [BytePath: Pending] = [:]
    /// By directories, what is pending in them.
    private var members: [BytePath: Set<BytePath>] = [:]
    /// By where things came from, where they are.
    private var destinations: [BytePath: BytePath] = [:]
    /// When each may be told, in this order; one that was touched later is in here again.
    private var queue: [(path: BytePath, number: UInt64, due: ContinuousClock.Instant)] = []
    /// How many of these are done with.
    private var done = 0
    private var lastNumber: UInt64 = 0
    /// What is to be told.
    private var told: [FileChange] = []

    /// When there may be something to tell.
    var nextDue: ContinuousClock.Instant? { done < queue.count ? queue[done].due : nil }

    /// The number of paths.
    var count: Int { pending.count }

    /// Everything, in the order in which it would be told.
    var all: [FileChange] {
        var copy = self
        return copy.settle(until: nil)
    }

    /// Takes in a change, which may be told from `due` on.
    ///
    /// - Returns: what is to be told at once.
    mutating func take(_ change: FileChange, due: ContinuousClock.Instant) -> [FileChange] {
        switch change.kind {
        case .overflow: return [change]
        case .moved where change.isDirectory: return takeMove(change)
        default: break
        }
        let source = change.from.flatMap { remove($0) }
        var combined = remove(change.path) ?? PendingChange(before: change)
        let left = combined.add(change, source: source)
        if let left { keep(left, due) }
        if !combined.changes.isEmpty { keep(combined, due) }
        return []
    }

    /// What may be told by now; all of it, where no time is given.
    mutating func settle(until now: ContinuousClock.Instant?) -> [FileChange] {
        while done < queue.count, now.map({ queue[done].due <= $0 }) ?? true {
            let entry = queue[done]
            done += 1
            if pending[entry.path]?.number == entry.number { settle(entry.path) }
        }
        if done > queue.count / 2 {
            queue.removeFirst(done)
            done = 0
        }
        return takeTold()
    }

    /// A directory's move changes the paths of what is in it: that is told by the paths that it had.
    private mutating func takeMove(_ change: FileChange) -> [FileChange] {
        let ends = [change.path, change.from].compactMap(\.self)
        let inside = pending.values
            .filter { one in
                ([one.combined.path] + one.combined.origins).contains { path in ends.contains { path.isIn($0) } }
            }
            .sorted { $0.number < $1.number }
        for end in ends { settle(above: end) }
        for one in inside { settle(one.combined.path) }
        return takeTold() + [change]
    }

    private mutating func takeTold() -> [FileChange] {
        defer { told = [] }
        return told
    }

    private mutating func keep(_ combined: PendingChange, _ due: ContinuousClock.Instant) {
        lastNumber += 1
        pending[combined.path] = Pending(combined: combined, number: lastNumber)
        members[combined.path.parent, default: []].insert(combined.path)
        for origin in combined.origins { destinations[origin] = combined.path }
        queue.append((combined.path, lastNumber, due))
        // What was touched again is in here once too often: that goes as it becomes most of it.
        if room > 2 * pending.count + 64 {
            queue = queue[done...].filter { pending[$0.path]?.number == $0.number }
            done = 0
        }
    }

    /// How many places in the queue are taken.
    var room: Int { queue.count - done }

    private mutating func remove(_ path: BytePath) -> PendingChange? {
        guard let combined = pending.removeValue(forKey: path)?.combined else { return nil }
        let parent = path.parent
        members[parent]?.remove(path)
        if members[parent]?.isEmpty == true { members[parent] = nil }
        for origin in combined.origins where destinations[origin] == path { destinations[origin] = nil }
        return combined
    }

    /// Tells what there is to tell of a path, and before it what that follows from.
    private mutating func settle(_ path: BytePath) {
        var chain: [PendingChange] = []
        var next: BytePath? = path
        while let one = next, let combined = remove(one) {
            chain.append(combined)
            next = destinations[one]
        }
        guard let last = chain.last else { return }
        // Where files have changed places, no order of moves says so.
        let start = chain.dropLast().firstIndex { $0.origins.contains(last.path) } ?? chain.endIndex
        let swapped = Set(chain[start...].map(\.path))
        for combined in chain.reversed() {
            settle(above: combined.path)
            // What has left a directory, or was removed in it, is told before it is gone, and nothing is in it after
            // that.
            if combined.removesDirectory {
                for member in members[combined.path] ?? [] { settle(member) }
                for (origin, place) in destinations where origin.isIn(combined.path) { settle(place) }
            }
            told += swapped.contains(combined.path) ? combined.changes(among: swapped) : combined.changes
        }
    }

    private mutating func settle(above path: BytePath) {
        var above = path.parent
        while !pending.isEmpty, above.bytes.count > 1, above != "." {
            settle(above)
            above = above.parent
        }
    }
}

extension BytePath {
    /// Whether it is this directory, or something in it.
    fileprivate func isIn(_ directory: BytePath) -> Bool {
        let (own, above) = (bytes, directory.bytes)
        return own.count >= above.count && own.starts(with: above)
            && (own.count == above.count || own[above.count] == BytePath.slash)
    }
}
