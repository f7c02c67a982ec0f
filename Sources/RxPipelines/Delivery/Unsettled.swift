import Dispatch
import RxEngine
import RxJSON

// Unchecked: everything is behind the lock.
/// The unsettled events of a source, bounded by `inFlight`.
package final class Unsettled: @unchecked Sendable {
    private let lock = Lock()
    private var limit: Int
    private let deliveries = DeliveryList<EventDelivery>()
    /// Events whose delivery was released after ``freeze()``.
    private var kept: [UnsettledEvent] = []
    /// How many deliveries and kept events there are. Counted, since the runtime tracks each access to an array.
    private var inside = 0
    /// Permits that are taken by events which have not arrived yet, in all runs.
    private var expected = 0
    private var isClosed = false
    private var isFrozen = false
    private var changes = 0
    /// The order of the event that was accepted last.
    private var latest = 0
    private var onBelowLimit: (@Sendable () -> Void)?
    /// At this count, or below it, ``onBelowLimit`` is to be called; `nil` if it is not.
    private var awaitedCount: Int?
    /// Threads that are blocked until there is a permit.
    private var waiting: [DispatchSemaphore] = []
    private var hasWaiting = false
    private let onProgress: @Sendable (UnsettledEvent) -> Void

    /// - Parameter onProgress: called when a sink has finished, or failed on, an event that may be delivered again
    ///   after a crash: a snapshot has it, or its source resumes.
    package init(limit: Int = .max, onProgress: @escaping @Sendable (UnsettledEvent) -> Void = { _ in }) {
        self.limit = limit
        self.onProgress = onProgress
    }

    /// A counter that grows with every change.
    var version: Int { lock.locked { changes } }

    /// The largest number of events before the source waits.
    var currentLimit: Int { lock.locked { limit } }

    /// The number of unsettled events.
    package var count: Int { lock.locked { inside } }

    private var isFull: Bool { inside + expected >= limit }

    /// The unsettled events in the order of emission.
    package var all: [UnsettledEvent] { events { _ in } }

    /// ``all`` for a snapshot, which has them from now on.
    var captured: [UnsettledEvent] { events { $0.isCaptured = true } }

    private func events(_ change: (EventDelivery) -> Void) -> [UnsettledEvent] {
        let all = lock.locked {
            var all = kept
            all.reserveCapacity(inside)
            deliveries.forEach { delivery in
                change(delivery)
                all.append(delivery.record)
            }
            return all
        }
        return all.sorted { $0.order < $1.order }
    }

    /// Whether new events are rejected.
    var isClosedToNew: Bool { lock.locked { isClosed } }

    /// Sets what is called, on any thread, when the count drops below the limit after ``awaitsRoom()``.
    func whenBelowLimit(_ call: @escaping @Sendable () -> Void) {
        lock.locked { onBelowLimit = call }
    }

    /// Whether the count is at the limit. If it is, the callback is called once when it is not. Closed, it has no room
    /// either.
    func awaitsRoom() -> Bool {
        lock.locked {
            if isFull { awaitedCount = limit - 1 }
            return isClosed || isFull
        }
    }

    /// Whether the count is above half of the limit. If it is, the callback is called once when it is not.
    func awaitsHalf() -> Bool {
        lock.locked {
            guard inside > limit / 2 else { return false }
            awaitedCount = awaitedCount ?? limit / 2
            return true
        }
    }

    /// Takes a permit, or returns the semaphore to wait on. Nobody waits once this is closed.
    func takePermit(_ run: InFlightPermits.Run) -> DispatchSemaphore? {
        lock.locked {
            if run.isOver { return nil }
            guard isFull, !isClosed, !isFrozen else {
                expected += 1
                run.expected += 1
                return nil
            }
            let place = DispatchSemaphore(value: 0)
            waiting.append(place)
            hasWaiting = true
            return place
        }
    }

    func mayEmit(_ run: InFlightPermits.Run) -> Bool {
        lock.locked { !run.isOver && !isClosed && !isFrozen }
    }

    func arrived(_ run: InFlightPermits.Run) {
        lock.locked {
            guard run.expected > 0 else { return }
            run.expected -= 1
            expected -= 1
        }
    }

    /// A value that has arrived was left out.
    func skipped() {
        if lock.locked({ !isFull && hasWaiting }) { wakeAll() }
    }

    func end(_ run: InFlightPermits.Run) {
        lock.locked {
            run.isOver = true
            expected -= run.expected
            run.expected = 0
        }
        wakeAll()
    }

    /// Adds an event, unless this is closed.
    ///
    /// - Parameter order: see ``UnsettledEvent/order``; without one, the event follows those that were accepted before.
    package func accept(_ event: SourceEvent, _ value: JSON, order: Int = 0) -> PipelineEvent? {
        let delivery = EventDelivery(event, value, in: self)
        return add(delivery, order) ? PipelineEvent(value, delivery) : nil
    }

    /// Adds an event that was accepted before, unless this is closed.
    func accept(_ event: UnsettledEvent) -> PipelineEvent? {
        let delivery = EventDelivery(event, in: self)
        return add(delivery, event.order) ? PipelineEvent(event.value, delivery) : nil
    }

    /// Changes the limit. Above it, the events stay, and no new ones are accepted from a source that waits.
    func setLimit(_ new: Int) {
        let callback = lock.locked { () -> (@Sendable () -> Void)? in
            limit = new
            if isFull || awaitedCount == nil { return nil }
            awaitedCount = nil
            return onBelowLimit
        }
        callback?()
        wakeAll()
    }

    private func add(_ delivery: EventDelivery, _ order: Int) -> Bool {
        lock.locked {
            if isClosed { return false }
            if deliveries.count == 0 { _ = Unmanaged.passRetained(self) }
            changes += 1
            inside += 1
            latest = order > 0 ? order : latest + 1
            delivery.order = latest
            deliveries.append(delivery)
            return true
        }
    }

    /// Rejects new events from now on.
    func close() {
        lock.locked { isClosed = true }
        wakeAll()
    }

    /// Keeps every event unsettled from now on, even when its delivery is released.
    package func freeze() {
        lock.locked { isFrozen = true }
        wakeAll()
    }

    private func wakeAll() {
        for place in lock.locked({ takeWaiting() }) { place.signal() }
    }

    private func takeWaiting() -> [DispatchSemaphore] {
        if !hasWaiting { return [] }
        defer { (waiting, hasWaiting) = ([], false) }
        return waiting
    }

    // MARK: - Called by the deliveries

    func begin(_ delivery: EventDelivery, at sink: String, in branch: EventBranch) -> Arrival {
        lock.locked { delivery.changeProgress { $0.begin(at: sink, in: branch) } }
    }

    func arrival(_ delivery: EventDelivery, _ number: Int, at sink: String) -> Arrival {
        lock.locked { delivery.changeProgress { $0.arrival(number, at: sink) } }
    }

    /// Changes what sinks have done for the event.
    func note(_ delivery: EventDelivery, _ change: (inout SinkProgress) -> Void) {
        let noted = lock.locked { () -> UnsettledEvent? in
            changes += 1
            delivery.changeProgress(change)
            let event = delivery.event
            return delivery.isCaptured || event.isRedelivered || event.isNamed ? delivery.record : nil
        }
        if let noted { onProgress(noted) }
    }

    func changeResults(_ delivery: EventDelivery, _ body: (inout StepResults) -> Void) {
        lock.locked {
            changes += 1
            delivery.changeStepResults(body)
        }
    }

    /// The delivery is being released. What it holds is released after this, outside the lock: its deinitializers may
    /// do anything.
    ///
    /// - Returns: whether it was the last one: then this is to be released, which was retained for the first.
    func settle(_ delivery: EventDelivery) -> Bool {
        // Outside the lock, another thread may release this with the last delivery.
        let (isLast, callback, waiting) = lock.locked { () -> (Bool, (@Sendable () -> Void)?, [DispatchSemaphore]) in
            deliveries.remove(delivery)
            let isLast = deliveries.count == 0
            if isFrozen {
                kept.append(delivery.record)
                return (isLast, nil, [])
            }
            changes += 1
            inside -= 1
            if isFull { return (isLast, nil, []) }
            guard let awaited = awaitedCount, inside <= awaited else { return (isLast, nil, takeWaiting()) }
            awaitedCount = nil
            return (isLast, onBelowLimit, takeWaiting())
        }
        callback?()
        for place in waiting { place.signal() }
        return isLast
    }
}
