import Synchronization

// Unchecked: the state is handed from the thread that schedules to the one that runs, and touched by no other.
/// An action that waits for its scheduler, and the handle that cancels it before it runs or, where it has run, disposes
/// what it returned.
final class ScheduledItem<State>: Cancelable, TrampolineItem, @unchecked Sendable {
    private let live = LiveSubscription(countedAs: .disposable)
    private let state: State
    private let action: @Sendable (State) -> any Disposable

    init(_ state: State, _ action: @escaping @Sendable (State) -> any Disposable) {
        self.state = state
        self.action = action
    }

    var isDisposed: Bool { live.isDisposed }

    func run() {
        if live.isActive { live.attach(action(state)) }
    }

    func dispose() {
        live.dispose()
    }
}
