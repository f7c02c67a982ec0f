import Dispatch
import RxEngine

// Unchecked: the lock guards the state.
/// A bounded queue between producers and slow work on a queue of its own.
///
/// Producers never wait: an item that finds the outbox full is dropped and counted.
public final class Outbox<Item: Sendable>: @unchecked Sendable {
    /// The queued items, and the numbers of unfinished and dropped ones.
    private struct State {
        var waiting: [Item] = []
        var isWorking = false
        var unfinished = 0
        var dropped = 0
    }

    private let lock = Lock()
    private var state = State()
    private let capacity: Int
    private let worker: DispatchQueue
    private let work: @Sendable (Item) -> Void

    /// Creates an outbox that calls `work` with each item, in order.
    ///
    /// - Parameters:
    ///   - name: the label of the dispatch queue.
    ///   - capacity: the most items that are waiting or being processed.
    ///   - work: processes an item, on the outbox's own queue.
    public init(_ name: String, capacity: Int, work: @escaping @Sendable (Item) -> Void) {
        worker = DispatchQueue(label: name)
        self.capacity = capacity
        self.work = work
    }

    /// The number of items that are waiting or being processed.
    public var queued: Int {
        lock.locked { state.unfinished }
    }

    /// The number of items that were dropped so far.
    public var dropped: Int {
        lock.locked { state.dropped }
    }

    /// Queues an item; can be called on any thread.
    ///
    /// - Returns: whether there was room for it; if not, the item is dropped.
    @discardableResult
    public func put(_ item: Item) -> Bool {
        let (accepted, starts) = lock.locked { () -> (Bool, Bool) in
            guard state.unfinished < capacity else {
                state.dropped += 1
                return (false, false)
            }
            state.waiting.append(item)
            state.unfinished += 1
            defer { state.isWorking = true }
            return (true, !state.isWorking)
        }
        if starts { worker.async { self.processItems() } }
        return accepted
    }

    /// Blocks until the items queued so far are processed, or until `deadline` has passed.
    ///
    /// - Parameter deadline: the longest wait.
    /// - Returns: whether these items are processed.
    public func drain(within deadline: Duration) -> Bool {
        let reached = DispatchSemaphore(value: 0)
        // A producer may have added an item and not started the worker yet, so process the waiting items here, too.
        worker.async {
            self.processItems()
            reached.signal()
        }
        return reached.wait(timeout: .now() + deadline.interval) == .success
    }

    private func processItems() {
        while true {
            // Reversed, so that `popLast` takes the oldest item, and releases each one after it is processed.
            var batch = lock.locked { () -> [Item] in
                state.isWorking = !state.waiting.isEmpty
                defer { state.waiting = [] }
                return state.waiting.reversed()
            }
            if batch.isEmpty { return }
            while let item = batch.popLast() {
                work(item)
                lock.locked { state.unfinished -= 1 }
            }
        }
    }
}
