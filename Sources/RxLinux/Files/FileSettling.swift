import Dispatch

// Unchecked: used on the watcher's queue alone.
/// Keeps changes back until nothing more has happened to their file for a while, and makes one of several.
final class FileSettling: @unchecked Sendable {
    private struct Pending {
        var changes: [FileChange]
        var number: UInt64
    }

    private let span: Duration
    private let alarm: Alarm
    private let tell: (FileChange) -> Void
    private var pending: [BytePath: Pending] = [:]
    /// When each may be told, in this order; one that was touched later is in here again.
    private var queue: [(path: BytePath, number: UInt64, due: ContinuousClock.Instant)] = []
    private var lastNumber: UInt64 = 0
    private var isSet = false

    init(_ span: Duration, on queue: DispatchQueue, _ tell: @escaping (FileChange) -> Void) {
        self.span = span
        self.tell = tell
        alarm = Alarm(on: queue)
    }

    func cancel() {
        alarm.cancel()
    }

    func take(_ change: FileChange) {
        if change.kind == .overflow { return tell(change) }
        // What happened to the file under its old name goes with it.
        let earlier = change.from.flatMap { pending.removeValue(forKey: $0)?.changes } ?? []
        let here = pending[change.path]?.changes ?? []
        let merged = Self.merge(earlier, here, change)
        lastNumber += 1
        pending[change.path] = merged.isEmpty ? nil : Pending(changes: merged, number: lastNumber)
        if !merged.isEmpty { queue.append((change.path, lastNumber, .now + span)) }
        schedule()
    }

    /// What is to be told of a file.
    ///
    /// - Parameters:
    ///   - earlier: what was to be told of it under the name that it had.
    ///   - here: what was to be told under the name that it has.
    static func merge(_ earlier: [FileChange], _ here: [FileChange], _ change: FileChange) -> [FileChange] {
        let path = change.path
        func like(_ kind: FileChange.Kind, from: BytePath? = nil) -> FileChange {
            FileChange(kind, path, from: from, isDirectory: change.isDirectory, isSynthetic: change.isSynthetic)
        }
        let wasCreated = here.contains { $0.kind == .created }
        let wasRemoved = here.contains { $0.kind == .removed }
        switch change.kind {
        case .overflow: return here + [change]
        case .attributes: return here.isEmpty ? [change] : here
        case .created:
            guard wasRemoved else { return [change] }
            return here.filter { $0.kind != .removed } + [like(.modified)]
        case .modified where change.from == nil:
            return here.contains { $0.kind == .created || $0.kind == .modified } ? here : here + [change]
        case .removed:
            if wasCreated { return wasRemoved ? [change] : [] }
            // Of what came from elsewhere, it is gone from there.
            let origins = here.filter { $0.kind == .moved }.compactMap(\.from)
            if let origin = origins.first {
                return [FileChange(.removed, origin, isDirectory: change.isDirectory)]
            }
            return [change]
        case .modified, .moved:
            guard let from = change.from else { return here + [change] }
            let cameFrom = earlier.first { $0.kind == .moved }?.from
            if earlier.contains(where: { $0.kind == .created }) {
                // Nobody knows of the name that it had.
                return [like(change.kind == .modified && !wasCreated ? .modified : wasRemoved ? .modified : .created)]
            }
            var merged = [like(change.kind, from: cameFrom ?? from)]
            if change.kind == .moved, earlier.contains(where: { $0.kind == .modified }) {
                merged.append(like(.modified))
            }
            return merged
        }
    }

    private func schedule() {
        guard !isSet, let first = queue.first else { return }
        isSet = true
        alarm.set(after: max(.zero, first.due - .now)) { [weak self] in self?.ring() }
    }

    private func ring() {
        isSet = false
        let now = ContinuousClock.now
        let due = queue.prefix { $0.due <= now }
        queue.removeFirst(due.count)
        for entry in due where pending[entry.path]?.number == entry.number {
            for change in pending.removeValue(forKey: entry.path)?.changes ?? [] { tell(change) }
        }
        schedule()
    }
}
