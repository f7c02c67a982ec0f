import Dispatch
import RxEngine

// Unchecked: everything is behind the lock.
/// The unsettled events of a source, bounded by `inFlight`.
package final class Unsettled: DeliveryOwner, @unchecked Sendable {
    private let lock = Lock()
    private let limit: Int
    private var places: [UnsettledEvent?] = []
    private var free: [Int] = []
    /// Permits that are taken by events which have not arrived yet, in all runs.
    private var expected = 0
    private var isClosed = false
    private var isFrozen = false
    private var changes = 0
    private var accepted = 0
    private var onBelowLimit: (@Sendable () -> Void)?
    /// Whether ``onBelowLimit`` is to be called when the count drops below the limit.
    private var isAwaited = false
    /// Threads that are blocked until there is a permit.
    private var waiting: [DispatchSemaphore] = []
    private let onProgress: @Sendable (UnsettledEvent) -> Void

    /// - Parameter onProgress: called when a sink has finished an event that a snapshot has.
    init(limit: Int = .max, onProgress: @escaping @Sendable (UnsettledEvent) -> Void = { _ in }) {
        self.limit = limit
        self.onProgress = onProgress
    }

    /// A counter that grows with every change.
    var version: Int { lock.locked { changes } }

    /// The number of unsettled events.
    package var count: Int { lock.locked { inside } }

    private var inside: Int { places.count - free.count }
    private var isFull: Bool { inside + expected >= limit }

    /// The unsettled events in the order of emission, redelivered ones first.
    package var all: [UnsettledEvent] {
        sorted(lock.locked { places.compactMap(\.self) })
    }

    /// ``all`` for a snapshot, which has them from now on.
    var captured: [UnsettledEvent] {
        sorted(
            lock.locked {
                for place in places.indices { places[place]?.isCaptured = true }
                return places.compactMap(\.self)
            })
    }

    private func sorted(_ all: [UnsettledEvent]) -> [UnsettledEvent] { all.sorted { $0.order < $1.order } }

    /// Whether new events are rejected.
    var isClosedToNew: Bool { lock.locked { isClosed } }

    /// Sets what is called, on any thread, when the count drops below the limit after ``awaitsRoom()``.
    func whenBelowLimit(_ call: @escaping @Sendable () -> Void) {
        lock.locked { onBelowLimit = call }
    }

    /// Whether the count is at the limit. If it is, the callback is called once when it is not. Closed, it has no room either.
    func awaitsRoom() -> Bool {
        lock.locked {
            if isFull { isAwaited = true }
            return isClosed || isFull
        }
    }

    /// Takes a permit, or returns the semaphore to wait on. Nobody waits once this is closed.
    fileprivate func takePermit(_ run: InFlightPermits.Run) -> DispatchSemaphore? {
        lock.locked {
            if run.isOver { return nil }
            guard isFull, !isClosed, !isFrozen else {
                expected += 1
                run.expected += 1
                return nil
            }
            let place = DispatchSemaphore(value: 0)
            waiting.append(place)
            return place
        }
    }

    fileprivate func mayEmit(_ run: InFlightPermits.Run) -> Bool {
        lock.locked { !run.isOver && !isClosed && !isFrozen }
    }

    fileprivate func arrived(_ run: InFlightPermits.Run) {
        lock.locked {
            guard run.expected > 0 else { return }
            run.expected -= 1
            expected -= 1
        }
    }

    fileprivate func end(_ run: InFlightPermits.Run) {
        lock.locked {
            run.isOver = true
            expected -= run.expected
            run.expected = 0
        }
        wakeAll()
    }

    /// Adds an event, unless this is closed.
    func accept(_ event: UnsettledEvent) -> PipelineEvent? {
        let place = lock.locked { () -> Int? in
            if isClosed { return nil }
            changes += 1
            accepted += 1
            var event = event
            event.order = accepted
            guard let place = free.popLast() else {
                places.append(event)
                return places.count - 1
            }
            places[place] = event
            return place
        }
        return place.map { PipelineEvent(event.value, event.event, Delivery(self, at: $0)) }
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
        let waiting = lock.locked { () -> [DispatchSemaphore] in
            defer { self.waiting = [] }
            return self.waiting
        }
        for place in waiting { place.signal() }
    }

    func begin(_ place: Int, at sink: String) -> Int? {
        lock.locked { places[place]?.progress.begin(at: sink) }
    }

    func finish(_ place: Int, _ number: Int, at sink: String) {
        let event = lock.locked {
            changes += 1
            places[place]?.progress.finish(number, at: sink)
            return places[place]
        }
        if let event, event.isCaptured || event.event.isRedelivered { onProgress(event) }
    }

    /// Changes what steps made of an event.
    func results<Value>(_ place: Int, _ body: (inout StepResults) -> Value) -> Value? {
        lock.locked {
            changes += 1
            return places[place]?.change(body)
        }
    }

    func settle(_ place: Int) {
        // Released outside the lock: its deinitialisers may do anything.
        let (settled, callback, hasWaiters) = lock.locked {
            () -> (UnsettledEvent?, (@Sendable () -> Void)?, Bool) in
            if isFrozen { return (nil, nil, false) }
            changes += 1
            free.append(place)
            let settled = places[place].take()
            if isFull { return (settled, nil, false) }
            defer { isAwaited = false }
            return (settled, isAwaited ? onBelowLimit : nil, !waiting.isEmpty)
        }
        withExtendedLifetime(settled) {}
        callback?()
        if hasWaiters { wakeAll() }
    }
}

/// The permits of one run of a source that can block. The source calls ``wait()`` on its own thread before it emits a value,
/// and ``arrived()`` where the value becomes an event.
package final class InFlightPermits: Sendable {
    // Unchecked: guarded by the lock of `unsettled`.
    fileprivate final class Run: @unchecked Sendable {
        /// Permits that are taken by events which have not arrived yet.
        var expected = 0
        var isOver = false
    }

    private let unsettled: Unsettled
    private let onWait: @Sendable () -> Void
    private let run = Run()

    /// - Parameter onWait: called when the caller has to wait.
    init(_ unsettled: Unsettled = Unsettled(), onWait: @escaping @Sendable () -> Void = {}) {
        self.unsettled = unsettled
        self.onWait = onWait
    }

    /// Blocks until there is a permit.
    ///
    /// - Returns: whether there is one; `false` after the run has ended or new events are rejected.
    func wait() -> Bool {
        while let place = unsettled.takePermit(run) {
            onWait()
            place.wait()
        }
        return unsettled.mayEmit(run)
    }

    func arrived() {
        unsettled.arrived(run)
    }

    /// Ends the run: wakes whoever waits, and returns the permits of events that will not arrive.
    func end() {
        unsettled.end(run)
    }
}
