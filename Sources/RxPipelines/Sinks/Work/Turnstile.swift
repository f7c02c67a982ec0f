import RxEngine

// Unchecked: what changes is behind the lock.
/// A scheduler that lets one action in at a time: at once, or when the one before it has left, on the thread that then
/// leaves. An action leaves when it has run, and whatever entered meanwhile has left, too.
///
/// `observe(on:bufferSize:overflow:drops:)` on it tells an element when the work for the one before is over, and keeps
/// the others in its bounded buffer.
final class Turnstile: ImmediateSchedulerType, @unchecked Sendable {
    private let lock = Lock()
    private var inside = 0
    private var waiting: [() -> Void] = []
    /// Whether a thread sees to those that wait, one after the other, so that none nests in another.
    private var isOpen = false

    func schedule<State>(
        _ state: State, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        let place = SingleAssignmentDisposable()
        lock.locked {
            waiting.append {
                if !place.isDisposed { place.setDisposable(action(state)) }
                self.leave()
            }
        }
        letIn()
        return place
    }

    /// Keeps others out until ``leave()``. Called by an action that is inside.
    func enter() {
        lock.locked { inside += 1 }
    }

    func leave() {
        lock.locked { inside -= 1 }
        letIn()
    }

    private func letIn() {
        let isMine = lock.locked {
            defer { isOpen = true }
            return !isOpen
        }
        guard isMine else { return }
        while let turn = next() { turn() }
    }

    private func next() -> (() -> Void)? {
        lock.locked {
            guard inside == 0, !waiting.isEmpty else {
                isOpen = false
                return nil
            }
            inside = 1
            return waiting.removeFirst()
        }
    }
}
