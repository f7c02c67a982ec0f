import Glibc

// Unchecked: `runs` is guarded by `lock`; a state is handed from one step to the next.
/// Steps that schedule steps.
///
/// Only the steps that wait hold it, and through it the action; the handle holds the steps.
final class Recursion<State, When>: @unchecked Sendable {
    typealias Schedule = @Sendable (State, When, @escaping @Sendable (State) -> Void) -> any Disposable
    typealias Action = @Sendable (State, (State, When) -> Void) -> Void

    /// A thread that has a step on its stack, and the states whose turn has come there meanwhile.
    private struct Run {
        let thread: pthread_t
        var due: [State] = []
    }

    private let schedule: Schedule
    private let action: Action
    private let steps = CompositeDisposable()
    private let lock = Lock()
    private var runs: [Run] = []

    init(schedule: @escaping Schedule, action: @escaping Action) {
        self.schedule = schedule
        self.action = action
    }

    func start(with state: State, _ when: When) -> any Disposable {
        recurse(with: state, when)
        return steps
    }

    private func recurse(with state: State, _ when: When) {
        // Its place is taken first: the step may run before the scheduler has said how to cancel it.
        let step = SingleAssignmentDisposable()
        guard let key = steps.insert(step) else { return }
        step.setDisposable(
            schedule(state, when) { state in
                self.steps.remove(for: key)
                self.run(state)
            })
    }

    /// Runs the step or, where this thread has another one on its stack, leaves it to that.
    private func run(_ first: State) {
        let thread = pthread_self()
        let isOnStack = lock.locked {
            guard let run = index(of: thread) else {
                runs.append(Run(thread: thread))
                return false
            }
            runs[run].due.append(first)
            return true
        }
        if isOnStack { return }
        var due = [first]
        while !due.isEmpty {
            for state in due where !steps.isDisposed { action(state) { recurse(with: $0, $1) } }
            due = takeDue(on: thread)
        }
    }

    /// - Returns: the states whose turn has come; with none, the thread has left the recursion.
    private func takeDue(on thread: pthread_t) -> [State] {
        lock.locked {
            guard let run = index(of: thread) else { return [] }
            defer { if runs[run].due.isEmpty { runs.remove(at: run) } else { runs[run].due = [] } }
            return runs[run].due
        }
    }

    private func index(of thread: pthread_t) -> Int? {
        runs.firstIndex { pthread_equal($0.thread, thread) != 0 }
    }
}
