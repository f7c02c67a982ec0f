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

/// The commands that wait for the main thread.
final class Commands: Sendable {
    private let waiting = Mutex<[Command]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func send(_ command: Command) {
        waiting.withLock { $0.append(command) }
        arrived.signal()
    }

    /// The next command; waits for one.
    func next() -> Command {
        arrived.wait()
        return waiting.withLock { $0.removeFirst() }
    }
}
