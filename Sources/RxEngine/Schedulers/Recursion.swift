// Unchecked: `lock` guards `runs`; each step passes its state to the next one.
/// A sequence of actions ("steps") that schedule further steps; see
/// ``ImmediateSchedulerType/scheduleRecursive(_:action:)``.
///
/// Only the queued steps retain it, and through it the action. The returned disposable retains the steps.
final class Recursion<State, When>: @unchecked Sendable {
    typealias Schedule = @Sendable (State, When, @escaping @Sendable (State) -> Void) -> any Disposable
    typealias Action = @Sendable (State, (State, When) -> Void) -> Void

    /// A thread that has a step on its stack, and the states of the steps that became due there meanwhile.
    private struct ActiveThread {
        let thread: UInt
        var due: [State] = []
    }

    private let schedule: Schedule
    private let action: Action
    private let steps = CompositeDisposable()
    private let lock = Lock()
    private var activeThreads: [ActiveThread] = []

    init(schedule: @escaping Schedule, action: @escaping Action) {
        self.schedule = schedule
        self.action = action
    }

    func start(with state: State, _ when: When) -> any Disposable {
        recurse(with: state, when)
        return steps
    }

    private func recurse(with state: State, _ when: When) {
        // Inserted before scheduling: the scheduler may run the step before it returns the disposable that cancels it.
        let step = SingleAssignmentDisposable()
        guard let key = steps.insert(step) else { return }
        step.setDisposable(
            schedule(state, when) { state in
                self.steps.remove(for: key)
                self.run(state)
            })
    }

    /// Runs the step or, if this thread has another step on its stack, queues it for that step's loop.
    private func run(_ first: State) {
        let thread = CurrentThread.number
        let isOnStack = lock.locked {
            guard let position = index(of: thread) else {
                activeThreads.append(ActiveThread(thread: thread))
                return false
            }
            activeThreads[position].due.append(first)
            return true
        }
        if isOnStack { return }
        var due = [first]
        while !due.isEmpty {
            for state in due where !steps.isDisposed { action(state) { recurse(with: $0, $1) } }
            due = takeDue(on: thread)
        }
    }

    /// Takes the states that became due on `thread` while it ran a step. If there are none, the thread leaves the
    /// recursion.
    private func takeDue(on thread: UInt) -> [State] {
        lock.locked {
            guard let position = index(of: thread) else { return [] }
            defer {
                if activeThreads[position].due.isEmpty {
                    activeThreads.remove(at: position)
                } else {
                    activeThreads[position].due = []
                }
            }
            return activeThreads[position].due
        }
    }

    private func index(of thread: UInt) -> Int? {
        activeThreads.firstIndex { $0.thread == thread }
    }
}
