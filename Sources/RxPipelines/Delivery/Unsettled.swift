import RxEngine

// Unchecked: everything is behind the lock.
/// The events of a source that something is still owed to.
package final class Unsettled: @unchecked Sendable {
    private let lock = Lock()
    private var places: [UnsettledEvent?] = []
    private var free: [Int] = []
    private var isClosed = false
    private var isFrozen = false
    private let onSettled: @Sendable (SourceEvent) -> Void

    /// - Parameter onSettled: told of each event that was delivered again and is settled now.
    init(onSettled: @escaping @Sendable (SourceEvent) -> Void = { _ in }) {
        self.onSettled = onSettled
    }

    /// How many there are.
    package var count: Int { lock.locked { places.count - free.count } }

    /// All that there are, in the order in which they were told.
    package var all: [UnsettledEvent] {
        let all = lock.locked { places.compactMap(\.self) }
        func order(_ one: UnsettledEvent) -> (Int, UInt64) { (one.event.isRedelivered ? 0 : 1, one.event.sequence) }
        return all.sorted { order($0) < order($1) }
    }

    /// Takes an event in, unless this is closed.
    func accept(_ event: UnsettledEvent) -> PipelineEvent? {
        let place = lock.locked { () -> Int? in
            if isClosed { return nil }
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
    }

    /// Settles nothing from now on: whoever lets go of an event has given it up.
    package func freeze() {
        lock.locked { isFrozen = true }
    }

    func begin(_ place: Int, at sink: String) -> Int? {
        lock.locked { places[place]?.progress.begin(at: sink) }
    }

    func finish(_ place: Int, _ number: Int, at sink: String) {
        lock.locked { places[place]?.progress.finish(number, at: sink) }
    }

    func settle(_ place: Int) {
        // Let go of outside the lock, whatever it holds.
        let settled = lock.locked { () -> UnsettledEvent? in
            if isFrozen { return nil }
            free.append(place)
            return places[place].take()
        }
        if let event = settled?.event, event.isRedelivered { onSettled(event) }
    }
}
