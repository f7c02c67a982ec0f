import Dispatch
import RxControl
import RxEngine
import RxPipelines

/// A command for the main thread.
enum DaemonCommand: Sendable, Equatable {
    /// Every source of the generation with this number is armed, except for those that the texts describe.
    case armed(Int, failures: [String] = [])
    /// Read the configuration again.
    case reload
    case stop(StopReason)
}

// Unchecked: the lock guards all mutable state.
/// The command queue of the main thread. A stop overtakes all other commands.
final class CommandQueue: @unchecked Sendable {
    /// Answers a request for a reload.
    typealias Reply = @Sendable (ControlAnswer) -> Void

    private let lock = Lock()
    private var queue: [DaemonCommand] = []
    private var replies: [Reply] = []
    /// The answer to further reloads, once the daemon is stopping.
    private var refusal: ControlAnswer?
    private let arrived = DispatchSemaphore(value: 0)

    /// Adds a command. A second reload is not queued: the first one reads the configuration when it is processed.
    func send(_ command: DaemonCommand) {
        let isNew = lock.locked { insert(command) }
        if isNew { arrived.signal() }
    }

    /// Adds a reload. `reply` is among the next ``takeReplies()``; after ``close(refusing:)`` it is called at once.
    func reload(_ reply: @escaping Reply) {
        let (isNew, refused) = lock.locked { () -> (Bool, ControlAnswer?) in
            if let refusal { return (false, refusal) }
            replies.append(reply)
            return (insert(.reload), nil)
        }
        if isNew { arrived.signal() }
        if let refused { reply(refused) }
    }

    /// - Returns: whether the command was queued.
    private func insert(_ command: DaemonCommand) -> Bool {
        switch command {
        case .reload where queue.contains(.reload): return false
        case .stop: queue.insert(command, at: 0)
        case .armed, .reload: queue.append(command)
        }
        return true
    }

    /// Waits for the next command and removes it.
    func next() -> DaemonCommand {
        arrived.wait()
        return lock.locked { queue.removeFirst() }
    }

    /// Removes and returns the replies of all reloads that were requested since the last call.
    func takeReplies() -> [Reply] {
        lock.locked {
            defer { replies = [] }
            return replies
        }
    }

    /// Refuses all further reloads with this answer.
    ///
    /// - Returns: the replies of reloads that were requested and have no answer yet.
    func close(refusing answer: ControlAnswer) -> [Reply] {
        lock.locked {
            refusal = answer
            defer { replies = [] }
            return replies
        }
    }
}
