import Dispatch
import RxEngine
import RxPipelines

/// What the main thread is asked to do.
enum Command: Sendable, Equatable {
    /// Every source of the generation with this number is armed, but for those that these texts tell of.
    case armed(Int, failures: [String] = [])
    /// Read the config again.
    case reload
    /// Stop, because of this signal.
    case stop(Int32)
    /// Stop, because the daemon can no longer be told to.
    case fail(String)
}

// Unchecked: the queue is behind the lock.
/// The commands that wait for the main thread: a stop is the next, all others come in order.
final class Commands: @unchecked Sendable {
    /// Takes the answer to whoever asked for a reload.
    typealias Reply = @Sendable (ControlAnswer) -> Void

    private let lock = Lock()
    private var waiting: [Command] = []
    private var replies: [Reply] = []
    private let arrived = DispatchSemaphore(value: 0)

    /// Adds a command. A reload that waits for its turn will read what the config is then: it stands for this one, too.
    func send(_ command: Command) {
        add(command, nil)
    }

    /// Asks for a reload; `reply` is among the next ``takeReplies()``.
    func reload(_ reply: @escaping Reply) {
        add(.reload, reply)
    }

    private func add(_ command: Command, _ reply: Reply?) {
        let isNew = lock.locked {
            if let reply { replies.append(reply) }
            switch command {
            case .reload where waiting.contains(.reload): return false
            case .stop, .fail: waiting.insert(command, at: 0)
            case .armed, .reload: waiting.append(command)
            }
            return true
        }
        if isNew { arrived.signal() }
    }

    /// The next command; waits for one.
    func next() -> Command {
        arrived.wait()
        return lock.locked { waiting.removeFirst() }
    }

    /// Those who have asked for a reload since the last time.
    func takeReplies() -> [Reply] {
        lock.locked {
            defer { replies = [] }
            return replies
        }
    }
}
