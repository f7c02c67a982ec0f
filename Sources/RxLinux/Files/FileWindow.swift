import RxEngine

// Unchecked: the lock guards all mutable state.
/// Bounds the changes that a subscriber was told and has not processed.
final class FileWindow: @unchecked Sendable {
    private let limit: Int
    /// Called, on any thread, when half of the limit is free after ``isFull`` was found to be true.
    private let onRoom: @Sendable () -> Void
    private let lock = Lock()
    // Below: guarded by the lock.
    private var count = 0
    private var isAwaited = false

    init(limit: Int, onRoom: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.onRoom = onRoom
    }

    /// Whether the subscriber has as many as the limit. If so, the callback is called once when it has half of that.
    var isFull: Bool {
        lock.locked {
            let isFull = count >= limit
            if isFull { isAwaited = true }
            return isFull
        }
    }

    /// Whether half of the limit is free. If not, the callback is called once when it is.
    var isHalfFree: Bool {
        lock.locked {
            isAwaited = count > limit / 2
            return !isAwaited
        }
    }

    /// Counts a change until the result is released.
    func enter() -> FileSlot {
        lock.locked { count += 1 }
        return FileSlot(self)
    }

    fileprivate func leave() {
        let isRoom = lock.locked {
            count -= 1
            guard isAwaited, count <= limit / 2 else { return false }
            isAwaited = false
            return true
        }
        if isRoom { onRoom() }
    }
}

/// A change that a subscriber was told, and has not processed as long as it holds this.
public final class FileSlot: Sendable {
    private let window: FileWindow

    fileprivate init(_ window: FileWindow) {
        self.window = window
    }

    deinit {
        window.leave()
    }
}
