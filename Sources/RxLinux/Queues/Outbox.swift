import Dispatch
import RxEngine

// Unchecked: the state is behind the lock.
/// A bounded queue between whoever produces and slow work on a thread of its own.
///
/// Producing never waits: what finds the queue full is dropped, and counted.
public final class Outbox<Item: Sendable>: @unchecked Sendable {
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

    /// An outbox that hands each item to `work`, in order.
    public init(_ name: String, capacity: Int, work: @escaping @Sendable (Item) -> Void) {
        worker = DispatchQueue(label: name)
        self.capacity = capacity
        self.work = work
    }

    /// How many items are waiting or being worked on.
    public var queued: Int {
        lock.locked { state.unfinished }
    }

    /// How many items were dropped so far.
    public var dropped: Int {
        lock.locked { state.dropped }
    }

    /// Queues an item.
    ///
    /// - Returns: whether there was room for it.
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
        if starts { worker.async { self.workOff() } }
        return accepted
    }

    /// Waits until everything queued so far has been worked on, but no longer than `deadline`.
    ///
    /// - Returns: whether it has.
    public func drain(within deadline: Duration) -> Bool {
        let reached = DispatchSemaphore(value: 0)
        // Whoever set the worker going may not have got round to it yet: then this works off what is waiting.
        worker.async {
            self.workOff()
            reached.signal()
        }
        return reached.wait(timeout: .now() + deadline.interval) == .success
    }

    private func workOff() {
        while true {
            // The last is the next: each is released when it has been worked on.
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
