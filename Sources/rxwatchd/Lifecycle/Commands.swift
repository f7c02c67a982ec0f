import Dispatch
import RxControl
import RxEngine
import RxPipelines

/// What the main thread is to do.
enum Command: Sendable, Equatable {
    /// Every source of the generation with this number is armed, except those that these texts describe.
    case armed(Int, failures: [String] = [])
    /// Read the config again.
    case reload
    case stop(Ending)
}

// Unchecked: the lock guards all mutable state.
/// The queue of the main thread: a stop overtakes all others.
final class Commands: @unchecked Sendable {
    /// Answers a request for a reload.
    typealias Reply = @Sendable (ControlAnswer) -> Void

    private let lock = Lock()
    private var queue: [Command] = []
    private var replies: [Reply] = []
    /// Why no reload comes any more.
    private var refusal: ControlAnswer?
    private let arrived = DispatchSemaphore(value: 0)

    /// Adds a command. A reload that is queued will read the config as it is then, so that another one adds nothing.
    func send(_ command: Command) {
        let isNew = lock.locked { insert(command) }
        if isNew { arrived.signal() }
    }

    /// Adds a reload; `reply` is among the next ``takeReplies()``, or is called at once after ``close(refusing:)``.
    func reload(_ reply: @escaping Reply) {
        let (isNew, refused) = lock.locked { () -> (Bool, ControlAnswer?) in
            if let refusal { return (false, refusal) }
            replies.append(reply)
            return (insert(.reload), nil)
        }
        if isNew { arrived.signal() }
        if let refused { reply(refused) }
    }

    /// - Returns: whether there is one command more.
    private func insert(_ command: Command) -> Bool {
        switch command {
        case .reload where queue.contains(.reload): return false
        case .stop: queue.insert(command, at: 0)
        case .armed, .reload: queue.append(command)
        }
        return true
    }

    /// Waits for the next command and removes it.
    func next() -> Command {
        arrived.wait()
        return lock.locked { queue.removeFirst() }
    }

    /// Those who have asked for a reload since the last call.
    func takeReplies() -> [Reply] {
        lock.locked {
            defer { replies = [] }
            return replies
        }
    }

    /// Refuses all further reloads with this answer.
    ///
    /// - Returns: those who have asked for one and have no answer.
    func close(refusing answer: ControlAnswer) -> [Reply] {
        lock.locked {
            refusal = answer
            defer { replies = [] }
            return replies
        }
    }
}
