import Synchronization

/// An action that waits for its scheduler, and the handle that cancels it before it runs or, where it has run, disposes
/// what it returned. A cancelled action is let go of at once, however long its scheduler keeps the item.
// Unchecked: the work is taken once, by whoever claims it: the one who runs it or the one who cancels it.
final class ScheduledItem<State>: Cancelable, TrampolineItem, @unchecked Sendable {
    private let live = LiveSubscription(countedAs: .disposable)
    private let claimed = Atomic(false)
    private var work: (state: State, action: @Sendable (State) -> any Disposable)?

    init(_ state: State, _ action: @escaping @Sendable (State) -> any Disposable) {
        work = (state, action)
    }

    var isDisposed: Bool { live.isDisposed }

    func run() {
        if let work = claim() { live.attach(work.action(work.state)) }
    }

    func dispose() {
        live.dispose()
        _ = claim()
    }

    private func claim() -> (state: State, action: @Sendable (State) -> any Disposable)? {
        guard !claimed.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        return work.take()
    }
}
