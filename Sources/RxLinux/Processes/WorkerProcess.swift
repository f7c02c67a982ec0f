import CLinux
import Glibc

/// The error of a request that a worker has not answered.
public enum WorkerError: Error, Sendable, Hashable {
    /// The worker could not be started, or the request could not be sent.
    case system(SystemError)
    /// A signal ended the worker.
    case signal(Int32)
    /// The worker has exited.
    case exit(Int32)
    /// The worker ended before it read the request.
    case unread
    /// The worker exceeded the time limit, and was killed.
    case timeout
    /// All workers were busy for the whole time limit.
    case busy
    /// The answer has this many bytes, which exceeds the limit.
    case tooLong(Int)
}

// Unchecked: used by one thread at a time, the one that has taken the process from the pool.
/// A child process that answers requests on its standard input and output, one after the other.
final class WorkerProcess: @unchecked Sendable {
    private var process: ChildProcess?
    private let socket: Descriptor
    /// The time of the latest use.
    var used = SuspendingClock.now
    /// Whether the process ended before it read the latest request, which can therefore be sent again.
    private(set) var hasNotRead = false

    init(_ command: Command) throws(WorkerError) {
        do throws(SystemError) {
            var ends: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError.last("making a pair of sockets") }
            let ours = Descriptor(owning: ends[0])
            let theirs = Descriptor(owning: ends[1])
            let errors = try Descriptor(open("/dev/null", O_WRONLY | O_CLOEXEC), "opening /dev/null").apart()
            let end = try theirs.apart()
            socket = try ours.apart()
            process = try ChildProcess(
                command, input: end.number, output: end.number, error: errors.number, isTrusted: true)
        } catch {
            throw .system(error)
        }
    }

    deinit { end() }

    /// The process number; `nil` after the process has ended.
    var number: Int32? {
        switch process {
        case .some(let process): process.number
        case .none: nil
        }
    }

    /// Sends a request and waits for its answer. After an error the process has ended.
    ///
    /// - Parameters:
    ///   - request: the bytes of the request.
    ///   - deadline: the time at which the request fails.
    ///   - limit: the most bytes of an answer.
    ///   - interval: the interval at which `yields` is called while no answer begins.
    ///   - yields: whether the request fails then, with `timeout`.
    func exchange(
        _ request: [UInt8], until deadline: SuspendingClock.Instant, limit: Int, checkingEvery interval: Duration,
        yieldingIf yields: () -> Bool
    ) throws(WorkerError) -> [UInt8] {
        do throws(WorkerError) {
            let frames = WorkerFrames(socket.number, deadline)
            try frames.send(request)
            while try !frames.waitForAnswer(until: min(deadline, SuspendingClock.now.advanced(by: interval))) {
                if SuspendingClock.now >= deadline || yields() { throw .timeout }
            }
            return try frames.receive(limit: limit)
        } catch {
            hasNotRead = error == .unread
            throw end(after: error)
        }
    }

    /// Ends the process.
    ///
    /// - Returns: how the process ended, if it ended by itself; otherwise `error`.
    private func end(after error: WorkerError) -> WorkerError {
        // The kernel closes the process's end of the socket a moment before the process can be waited for.
        let deadline = SuspendingClock.now.advanced(by: .milliseconds(200))
        var status = process?.status()
        if error == .exit(0) || error == .unread {
            while status == nil, SuspendingClock.now < deadline {
                usleep(1000)
                status = process?.status()
            }
        }
        end()
        if let signal = status?.signal { return .signal(signal) }
        if let exit = status?.exit { return .exit(exit) }
        return error
    }

    private func end() {
        guard let process = process.take() else { return }
        process.send(SIGKILL)
        process.reap()
    }
}
