import RxControl
import RxEngine
import RxLinux

/// The requests of each user that wait for events, such as `rxwatchctl sync`, of which a user may have a few at once.
final class WaitingRequests: Sendable {
    /// Ends a wait whose answer nobody needs any more.
    typealias Cancel = @Sendable () -> Void

    /// The most requests of one user at once.
    static let maximum = 16

    /// The answer to a further one.
    private static let refusal = ControlAnswer(
        "\(maximum) requests of this user wait already; end one of them", exitCode: ExitCode.failure)

    /// A request that has no answer yet. It is retained by what answers it.
    private struct UnansweredRequest {
        let user: UInt32
        weak var request: LocalRequest?
        /// `nil` until the wait has begun.
        var cancel: Cancel?
    }

    private let state = Locked<(all: [Int: UnansweredRequest], last: Int)>(([:], 0))

    /// Begins a request, or refuses it. One of the same user whose client has gone is ended in its place.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - begin: begins the wait, and calls its argument with the answer; returns what cancels the wait.
    func add(_ request: LocalRequest, _ begin: (@escaping CommandQueue.Reply) -> Cancel) {
        let user = request.peer.user
        let (number, cancel) = state.withLock { state -> (Int?, Cancel?) in
            let own = state.all.filter { $0.value.user == user }
            var cancel: Cancel?
            if own.count >= Self.maximum {
                guard let gone = own.first(where: { $0.value.request?.isAbandoned ?? true }) else { return (nil, nil) }
                cancel = state.all.removeValue(forKey: gone.key)?.cancel
            }
            state.last += 1
            state.all[state.last] = UnansweredRequest(user: user, request: request)
            return (state.last, cancel)
        }
        cancel?()
        guard let number else { return request.answer(Self.refusal.bytes) }
        let end = begin { [self] answer in
            let ended = state.withLock { $0.all.removeValue(forKey: number) }
            withExtendedLifetime(ended) {}
            request.answer(answer.bytes)
        }
        state.withLock { $0.all[number]?.cancel = end }
    }
}
