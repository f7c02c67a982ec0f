import Dispatch
import RxEngine
import RxJSON

// Unchecked: the lock guards all mutable state.
/// The unsettled events of a source, bounded by `inFlight` and by the memory that their values take.
package final class UnsettledEventTable: @unchecked Sendable {
    /// The memory that the values may take before the source waits, in bytes, unless there are many sources.
    package static let defaultMemoryLimit = 16 << 20
    /// The most permits that are taken by values which are not events yet: the size of such a value is unknown.
    private static let maximumExpected = 16

    private let lock = Lock()
    private var limit: Int
    private var memoryLimit: Int
    /// The limit that a reload has set. ``memoryLimit`` falls to it with the memory of the values.
    private var newMemoryLimit: Int
    private let deliveries = DeliveryList<EventDelivery>()
    /// The events whose delivery was released after ``freeze()``; `nil` before.
    private var frozen: [UnsettledEvent]?
    /// The number of deliveries and frozen events. A counter, since the runtime tracks each access to an array.
    private var eventCount = 0
    /// The memory of large values, of step results and of values that steps made, in bytes.
    private var memory = 0
    /// The part of ``memory`` that is taken by values that steps made of the events.
    private var derived = 0
    /// The part of ``memory`` that steps collect.
    private var collected = 0
    /// The number of permits, in all runs, whose values have not become events yet.
    private var expected = 0
    private var isClosed = false
    private var changes = 0
    /// The order of the last accepted event.
    private var latest = 0
    private var onBelowLimit: (@Sendable () -> Void)?
    /// The count at or below which ``onBelowLimit`` is called; `nil` if no call is due.
    private var awaitedCount: Int?
    /// The semaphores of threads that are blocked until a permit is free.
    private var waiting: [DispatchSemaphore] = []
    private var hasWaiting = false
    /// Whether the source was last held back by ``memoryLimit`` alone.
    private var isHeldBackByMemory = false
    private let onProgress: @Sendable (UnsettledEvent) -> Void
    private let taps: TapRegistry

    /// Creates an empty table of unsettled events.
    ///
    /// - Parameters:
    ///   - limit: the number of events at which the source waits.
    ///   - memoryLimit: the memory of their values at which it waits, in bytes.
    ///   - onProgress: called when a sink has finished, or failed on, an event that may be delivered again after a
    ///     crash: a snapshot contains it, or its source resumes.
    ///   - taps: the observers of settled events.
    package init(
        limit: Int = .max, memoryLimit: Int = defaultMemoryLimit,
        onProgress: @escaping @Sendable (UnsettledEvent) -> Void = { _ in }, taps: TapRegistry = TapRegistry()
    ) {
        self.limit = limit
        self.memoryLimit = memoryLimit
        newMemoryLimit = memoryLimit
        self.onProgress = onProgress
        self.taps = taps
    }

    /// A counter that grows with every change.
    var version: Int { lock.locked { changes } }

    /// The number of unsettled events.
    package var count: Int { lock.locked { eventCount } }

    private var isFull: Bool { eventCount + expected >= limit || memory >= memoryLimit }

    /// Whether the source is held back, and by which limit: meanwhile, events may have been settled.
    private var isHeldBack: Bool {
        if isFull { isHeldBackByMemory = eventCount + expected < limit }
        return isFull
    }

    /// The limit that the source is or was held back by, and how, for a record.
    var reachedLimit: String {
        lock.locked {
            if isHeldBackByMemory {
                let events = counted(eventCount, "event", "events")
                let verb = eventCount == 1 ? "is" : "are"
                return "memory limit reached: \(events) of \(memoryText(memory)) \(verb) unsettled"
            }
            return "inFlight reached: \(limit) events are unsettled"
        }
    }

    /// The unsettled events in the order of emission.
    package var all: [UnsettledEvent] { events { _ in } }

    /// ``all`` for a snapshot, which contains them from now on.
    var captured: [UnsettledEvent] { events { $0.isCaptured = true } }

    private func events(_ change: (EventDelivery) -> Void) -> [UnsettledEvent] {
        let all = lock.locked {
            var all = frozen ?? []
            all.reserveCapacity(eventCount)
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

    /// Sets the callback for when the count drops below the limit after ``requestCallbackIfFull()``. It is called on any thread.
    func whenBelowLimit(_ call: @escaping @Sendable () -> Void) {
        lock.locked { onBelowLimit = call }
    }

    /// Whether the limit is reached, or this is closed. If the limit is reached, the callback is called once when there
    /// is room.
    func requestCallbackIfFull() -> Bool {
        lock.locked {
            let isFull = isHeldBack
            if isFull { awaitedCount = limit - 1 }
            return isClosed || isFull
        }
    }

    /// Whether the count is above half of the limit. If so, the callback is called once when it no longer is.
    func requestCallbackAtHalf() -> Bool {
        lock.locked {
            guard eventCount > limit / 2 else { return false }
            awaitedCount = awaitedCount ?? limit / 2
            return true
        }
    }

    /// Takes a permit if one is free, or if nothing may wait any more because this is closed or frozen.
    ///
    /// - Returns: `nil` if the caller need not wait; otherwise the semaphore to wait on, and whether the limit is
    ///   reached.
    func takePermit(_ run: InFlightPermits.Run) -> (semaphore: DispatchSemaphore, isFull: Bool)? {
        lock.locked {
            if run.isOver { return nil }
            let isFull = isHeldBack
            guard isFull || expected >= Self.maximumExpected, !isClosed, frozen == nil else {
                expected += 1
                run.expected += 1
                return nil
            }
            let semaphore = DispatchSemaphore(value: 0)
            waiting.append(semaphore)
            hasWaiting = true
            return (semaphore, isFull)
        }
    }

    /// Whether a value of the run may become an event.
    func mayEmit(_ run: InFlightPermits.Run) -> Bool {
        lock.locked { !run.isOver && !isClosed && frozen == nil }
    }

    /// Returns the permit of a value that becomes an event.
    func arrived(_ run: InFlightPermits.Run) {
        let waiting = lock.locked { () -> [DispatchSemaphore] in
            guard run.expected > 0 else { return [] }
            run.expected -= 1
            expected -= 1
            // The value is about to become an event, and counts as one already.
            if expected > Self.maximumExpected / 2 || eventCount + expected + 1 >= limit || isFull { return [] }
            return takeWaiting()
        }
        for semaphore in waiting { semaphore.signal() }
    }

    /// Wakes the blocked threads after a value that had a permit was dropped.
    func skipped() {
        if lock.locked({ !isFull && hasWaiting }) { wakeAll() }
    }

    /// Ends a run: returns its permits and wakes the blocked threads.
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
    /// - Parameters:
    ///   - event: the identity of the event.
    ///   - value: its value.
    ///   - order: see ``UnsettledEvent/order``; 0 to add it behind all accepted events.
    ///   - memory: the memory of the value in bytes; 0 if it is small.
    /// - Returns: the event for the pipelines; `nil` if this is closed.
    package func accept(_ event: SourceEvent, _ value: JSON, order: Int = 0, memory: Int = 0) -> PipelineEvent? {
        let delivery = EventDelivery(event, value, in: self, memory: memory)
        return add(delivery, order) ? PipelineEvent(value, delivery) : nil
    }

    /// Adds an event that was accepted before, unless this is closed.
    func accept(_ event: UnsettledEvent) -> PipelineEvent? {
        let delivery = EventDelivery(event, in: self)
        return add(delivery, event.order) ? PipelineEvent(event.value, delivery) : nil
    }

    /// Changes the limits. Events above a lower limit stay unsettled, and the source waits.
    ///
    /// - Parameters:
    ///   - new: the number of events.
    ///   - newMemory: the memory of their values, in bytes; `nil` to leave it.
    func setLimit(_ new: Int, memoryLimit newMemory: Int? = nil) {
        let callback = lock.locked { () -> (@Sendable () -> Void)? in
            limit = new
            if let newMemory {
                newMemoryLimit = newMemory
                memoryLimit = max(memoryLimit, newMemory)
                lowerMemoryLimit()
            }
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
            eventCount += 1
            memory += delivery.memory
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
        lock.locked { frozen = frozen ?? [] }
        wakeAll()
    }

    private func wakeAll() {
        for semaphore in lock.locked({ takeWaiting() }) { semaphore.signal() }
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

    /// Changes the progress of the sinks with the event, and reports it if the event may be delivered again.
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
            let before = delivery.memory
            delivery.changeStepResults(body)
            memory += delivery.memory - before
            if delivery.collectors > 0 { collected += delivery.memory - before }
        }
    }

    /// Settles the event of a delivery that is being deinitialized. The delivery's members are released after this
    /// call, outside the lock, since their deinitializers may do anything.
    ///
    /// - Returns: whether it was the last delivery. The caller then releases this object, which was retained when the
    ///   first delivery was added.
    func settle(_ delivery: EventDelivery) -> Bool {
        // After the unlocking, this object may be gone: another thread may release it with the last delivery.
        let taps = taps.isIdle ? nil : taps
        let (isLast, resumption) = lock.locked { () -> (Bool, Resumption?) in
            deliveries.remove(delivery)
            let isLast = deliveries.count == 0
            if frozen?.append(delivery.record) != nil {
                return (isLast, nil)
            }
            changes += 1
            eventCount -= 1
            memory -= delivery.memory
            lowerMemoryLimit()
            return (isLast, takeResumption())
        }
        resumption?.resume()
        if resumption != nil { taps?.observe(delivery.event.source, .settled(delivery.event)) }
        return isLast
    }

    /// The callback and the threads that wait for room, to be resumed outside the lock.
    private struct Resumption {
        var callback: (@Sendable () -> Void)?
        var semaphores: [DispatchSemaphore] = []

        func resume() {
            callback?()
            for semaphore in semaphores { semaphore.signal() }
        }
    }

    /// Removes the waiters if there is room.
    private func takeResumption() -> Resumption {
        if isFull { return Resumption() }
        guard let awaited = awaitedCount, eventCount <= awaited else { return Resumption(semaphores: takeWaiting()) }
        awaitedCount = nil
        return Resumption(callback: onBelowLimit, semaphores: takeWaiting())
    }

    // MARK: - Memory

    /// Lowers the limit after a reload, but not below the memory of the values: these may be in a step that emits them
    /// when another event arrives, and a source at its limit emits none.
    private func lowerMemoryLimit() {
        if memoryLimit > newMemoryLimit { memoryLimit = min(memoryLimit, max(newMemoryLimit, memory + 1)) }
    }

    /// Whether the source waits since the values take all the memory that they may.
    var isAtMemoryLimit: Bool { lock.locked { memory >= memoryLimit } }

    /// Whether the source waits for memory, of which values that steps made of its events take a part.
    var isAtMemoryLimitWithMadeValues: Bool { lock.locked { memory >= memoryLimit && derived > 0 } }

    /// Whether the source would still wait for memory if the steps that collect events released `byteCount` bytes, and these
    /// steps would hold half of the memory or more, so that the rest might not be enough for the source to go on.
    func isHeldBackByCollectors(releasing byteCount: Int) -> Bool {
        lock.locked { memory - byteCount >= memoryLimit && collected - byteCount >= memoryLimit / 2 }
    }

    func addCollectors(_ number: Int, of delivery: EventDelivery) {
        lock.locked { add(number, to: &delivery.collectors, of: delivery.memory) }
    }

    func addCollectors(_ number: Int, of value: DerivedMemory) {
        lock.locked { add(number, to: &value.collectors, of: value.byteCount) }
    }

    /// Adds to the number of steps that collect a value. Its memory counts once, however many they are.
    private func add(_ number: Int, to collectors: inout Int, of byteCount: Int) {
        let wasCollected = collectors > 0
        collectors += number
        if wasCollected != (collectors > 0) { collected += wasCollected ? -byteCount : byteCount }
    }

    func memoryOfSoleCollector(of delivery: EventDelivery) -> Int {
        lock.locked { delivery.collectors == 1 ? delivery.memory : 0 }
    }

    func memoryOfSoleCollector(of value: DerivedMemory) -> Int {
        lock.locked { value.collectors == 1 ? value.byteCount : 0 }
    }

    // MARK: - Values that are made of the events

    /// Adds the memory of a value until the result is released.
    func countDerived(_ byteCount: Int) -> DerivedMemory {
        lock.locked {
            memory += byteCount
            derived += byteCount
        }
        return DerivedMemory(byteCount, to: self)
    }

    /// Subtracts the memory of a released ``DerivedMemory``.
    func discountDerived(_ byteCount: Int) {
        let resumption = lock.locked {
            memory -= byteCount
            derived -= byteCount
            lowerMemoryLimit()
            return takeResumption()
        }
        resumption.resume()
    }
}
