import RxEngine

// Unchecked: the lock guards all mutable state.
/// A limit on the changes that a subscriber has received and not processed. A change with long paths counts as several.
final class FileWindow: @unchecked Sendable {
    private let limit: Int
    /// Called on any thread when half of the limit is free again, once after ``isFull`` or ``isHalfFree`` has found it
    /// exceeded.
    private let onRoom: @Sendable () -> Void
    private let lock = Lock()
    // The lock guards the variables below.
    private var count = 0
    private var isAwaited = false

    init(limit: Int, onRoom: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.onRoom = onRoom
    }

    /// Whether the subscriber has as many changes as the limit. If so, `onRoom` is called once when it has half of
    /// that.
    var isFull: Bool {
        lock.locked {
            let isFull = count >= limit
            if isFull { isAwaited = true }
            return isFull
        }
    }

    /// Whether half of the limit is free. If not, `onRoom` is called once when it is.
    var isHalfFree: Bool {
        lock.locked {
            isAwaited = count > limit / 2
            return !isAwaited
        }
    }

    /// Counts a change until the result is released.
    func enter(_ change: FileChange) -> FileSlot {
        let weight = change.weight
        lock.locked { count += weight }
        return FileSlot(self, weight)
    }

    fileprivate func leave(_ weight: Int) {
        let isRoom = lock.locked {
            count -= weight
            guard isAwaited, count <= limit / 2 else { return false }
            isAwaited = false
            return true
        }
        if isRoom { onRoom() }
    }
}

/// The slot of a change in a subscriber's window: the change counts as unprocessed until the slot is released.
public final class FileSlot: Sendable {
    private let window: FileWindow
    private let weight: Int

    fileprivate init(_ window: FileWindow, _ weight: Int) {
        self.window = window
        self.weight = weight
    }

    deinit {
        window.leave(weight)
    }
}

extension FileChange {
    /// The length of the paths from which a change counts as several, in bytes.
    private static let defaultLength = 256

    /// The number of changes that this one counts as in limits: a change with long paths takes more memory.
    var weight: Int { 1 + (path.bytes.count + (from?.bytes.count ?? 0)) / Self.defaultLength }
}
