import Dispatch
import RxEngine

// Unchecked: everything is behind the lock.
/// The events of a source that something is still owed to: no more than so many at once.
package final class Unsettled: @unchecked Sendable {
    private let lock = Lock()
    private let limit: Int
    private var places: [UnsettledEvent?] = []
    private var free: [Int] = []
    /// For how many that are on their way there is room set aside, in all runs.
    private var expected = 0
    private var isClosed = false
    private var isFrozen = false
    private var changes = 0
    /// What is called once when there is room again.
    private var whenRoom: (@Sendable () -> Void)?
    /// Those who wait for room.
    private var waiting: [DispatchSemaphore] = []
    private let onSettled: @Sendable (SourceEvent) -> Void

    /// - Parameter onSettled: told of each event that was delivered again and is settled now.
    init(limit: Int = .max, onSettled: @escaping @Sendable (SourceEvent) -> Void = { _ in }) {
        self.limit = limit
        self.onSettled = onSettled
    }

    /// How often something has changed about them.
    var version: Int { lock.locked { changes } }

    /// How many there are.
    package var count: Int { lock.locked { inside } }

    private var inside: Int { places.count - free.count }
    private var isFull: Bool { inside + expected >= limit }

    /// All that there are, in the order in which they were told.
    package var all: [UnsettledEvent] {
        let all = lock.locked { places.compactMap(\.self) }
        func order(_ one: UnsettledEvent) -> (Int, UInt64) { (one.event.isRedelivered ? 0 : 1, one.event.sequence) }
        return all.sorted { order($0) < order($1) }
    }

    /// Whether nothing is taken in any more.
    var takesNothing: Bool { lock.locked { isClosed } }

    /// Whether there is room for another. Where there is none, `whenRoom` is called once when there is, on any thread.
    func hasRoom(orCall whenRoom: @escaping @Sendable () -> Void) -> Bool {
        lock.locked {
            if isClosed { return false }
            if isFull { self.whenRoom = whenRoom }
            return !isFull
        }
    }

    /// Sets room aside for another event of a run; where there is none yet, what to wait for. Nobody waits where nothing is
    /// taken in any more.
    fileprivate func enter(_ run: Room.Run) -> DispatchSemaphore? {
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

    fileprivate func mayTake(_ run: Room.Run) -> Bool {
        lock.locked { !run.isOver && !isClosed && !isFrozen }
    }

    fileprivate func hasCome(_ run: Room.Run) {
        lock.locked {
            guard run.expected > 0 else { return }
            run.expected -= 1
            expected -= 1
        }
    }

    fileprivate func end(_ run: Room.Run) {
        lock.locked {
            run.isOver = true
            expected -= run.expected
            run.expected = 0
        }
        release()
    }

    /// Takes an event in, unless this is closed.
    func accept(_ event: UnsettledEvent) -> PipelineEvent? {
        let place = lock.locked { () -> Int? in
            if isClosed { return nil }
            changes += 1
            guard let place = free.popLast() else {
                places.append(event)
                return places.count - 1
            }
            places[place] = event
            return place
        }
        return place.map { PipelineEvent(event.value, event.event, Delivery(self, at: $0)) }
    }

    /// Takes nothing in from now on.
    func close() {
        lock.locked { isClosed = true }
        release()
    }

    /// Settles nothing from now on: whoever lets go of an event has given it up.
    package func freeze() {
        lock.locked { isFrozen = true }
        release()
    }

    private func release() {
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
        lock.locked {
            changes += 1
            places[place]?.progress.finish(number, at: sink)
        }
    }

    func settle(_ place: Int) {
        // Let go of outside the lock, whatever it holds.
        let (settled, whenRoom, isWaitedFor) = lock.locked {
            () -> (UnsettledEvent?, (@Sendable () -> Void)?, Bool) in
            if isFrozen { return (nil, nil, false) }
            changes += 1
            free.append(place)
            let settled = places[place].take()
            return (settled, isFull ? nil : self.whenRoom.take(), !isFull && !waiting.isEmpty)
        }
        if let event = settled?.event, event.isRedelivered { onSettled(event) }
        whenRoom?()
        if isWaitedFor { release() }
    }
}

/// The room for the events of one run of a source that can wait. It waits on its own thread before it tells a value, and
/// says when that has come to where it becomes an event.
package final class Room: Sendable {
    // Unchecked: behind the lock of the unsettled events.
    fileprivate final class Run: @unchecked Sendable {
        /// For how many that are on their way there is room set aside.
        var expected = 0
        var isOver = false
    }

    private let unsettled: Unsettled
    private let onWait: @Sendable () -> Void
    private let run = Run()

    /// - Parameter onWait: called when there is none yet.
    init(_ unsettled: Unsettled = Unsettled(), onWait: @escaping @Sendable () -> Void = {}) {
        self.unsettled = unsettled
        self.onWait = onWait
    }

    /// - Returns: whether there is room. Otherwise nothing is taken in any more.
    func wait() -> Bool {
        while let place = unsettled.enter(run) {
            onWait()
            place.wait()
        }
        return unsettled.mayTake(run)
    }

    func hasCome() {
        unsettled.hasCome(run)
    }

    /// The run is over: nobody waits, and what is on its way does not come.
    func end() {
        unsettled.end(run)
    }
}
