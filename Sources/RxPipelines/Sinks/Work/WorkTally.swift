import RxEngine
import Synchronization

/// Counts what becomes of the events that a sink takes for slow work.
final class WorkTally: Sendable {
    /// What found no room in the buffer.
    let overflowed = DropCount()
    private let taken = Atomic(0)
    private let started = Atomic(0)
    private let finished = Atomic(0)
    private let givenUp = Atomic(0)
    private let isOver = Atomic(false)

    /// How many are waiting, or being worked on.
    var queued: Int {
        isOver.load(ordering: .acquiring) ? 0 : max(0, unfinished - lost)
    }

    /// How many were dropped, or given up. What was waiting when it was over is among them.
    var dropped: Int {
        isOver.load(ordering: .acquiring) ? unfinished : lost
    }

    private var unfinished: Int { taken.load(ordering: .relaxed) - finished.load(ordering: .relaxed) }
    private var lost: Int { overflowed.value + givenUp.load(ordering: .relaxed) }

    /// Counts an event that `offer` takes or, where nothing waits, leaves.
    func take(mayWait: Bool, _ offer: () -> Void) {
        taken.add(1, ordering: .relaxed)
        let before = started.load(ordering: .relaxed)
        offer()
        if !mayWait, started.load(ordering: .relaxed) == before { givenUp.add(1, ordering: .relaxed) }
    }

    /// Counts a piece of work that begins.
    func start() {
        started.add(1, ordering: .relaxed)
    }

    /// Counts a piece of work that is over, and whether it came to its end.
    func end(isFinished: Bool) {
        if isFinished {
            finished.add(1, ordering: .relaxed)
        } else {
            givenUp.add(1, ordering: .relaxed)
        }
    }

    /// Nothing is worked on any more.
    func close() {
        isOver.store(true, ordering: .releasing)
    }
}
