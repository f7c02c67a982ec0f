import Dispatch
import RxEngine

/// A closure that is called once: by its owner, or after a timeout.
final class OnceWithTimeout: Sendable {
    /// A timeout that is extended while there is a reason to go on waiting.
    private struct Wait {
        let span: Duration
        let isContinued: @Sendable () -> Bool
        let late: @Sendable () -> Void
    }

    /// The closure and the timeout that runs.
    private struct State {
        /// The closure, until it is called.
        var body: (@Sendable () -> Void)?
        var wait: Wait?
        /// The number of the wait.
        var number = 0
    }

    private let state: Locked<State>

    init(_ body: @escaping @Sendable () -> Void) {
        state = Locked(State(body: body))
    }

    func callAsFunction() {
        take()?.body?()
    }

    /// Calls `late` and the closure after `span`, if the closure was not called before. Replaces an earlier wait.
    ///
    /// - Parameters:
    ///   - span: the timeout.
    ///   - isContinued: called on any thread after `span`; returns whether to wait for another `span`.
    ///   - late: called on any thread. The timer does not retain it once the closure was called.
    func orElse(
        after span: Duration, unless isContinued: @escaping @Sendable () -> Bool = { false },
        _ late: @escaping @Sendable () -> Void
    ) {
        let wait = Wait(span: span, isContinued: isContinued, late: late)
        let number = state.withLock { state -> Int? in
            guard state.body != nil else { return nil }
            state.number += 1
            state.wait = wait
            return state.number
        }
        if let number { schedule(number, after: span) }
    }

    private func schedule(_ number: Int, after span: Duration) {
        DispatchQueue.global().asyncAfter(deadline: .now() + span.interval) { [weak self] in self?.timedOut(number) }
    }

    private func timedOut(_ number: Int) {
        guard let wait = state.withLock({ $0.number == number ? $0.wait : nil }) else { return }
        if wait.isContinued() { return schedule(number, after: wait.span) }
        guard let taken = take(number) else { return }
        wait.late()
        taken.body?()
    }

    /// Takes the closure out, if it was not called and the wait has the number.
    ///
    /// - Returns: the state before, which the caller releases outside of the lock.
    private func take(_ number: Int? = nil) -> State? {
        state.withLock { state in
            guard state.body != nil, number == nil || number == state.number else { return nil }
            defer { (state.body, state.wait) = (nil, nil) }
            return state
        }
    }
}
