import Dispatch
import Synchronization

/// What the main thread is asked to do.
enum Command: Sendable, Equatable {
    /// Every source of the generation with this number is armed.
    case armed(Int)
    /// Read the config again.
    case reload
    /// Stop, because of this signal.
    case stop(Int32)
    /// Stop, because the daemon can no longer be told to.
    case fail(String)
}

/// The commands that wait for the main thread: a stop is the next, all others come in order.
final class Commands: Sendable {
    private let waiting = Mutex<[Command]>([])
    private let arrived = DispatchSemaphore(value: 0)

    /// Adds a command. A reload that waits for its turn will read what the config is then: it stands for this one, too.
    func send(_ command: Command) {
        let isNew = waiting.withLock { waiting in
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
        return waiting.withLock { $0.removeFirst() }
    }
}
