import Dispatch
import RxEngine

/// Reads files of requests, such as those with secrets, that are on network file systems, whose servers may not answer.
///
/// Each file is read by one thread at a time, so that requests that are repeated while a server does not answer use no
/// more of them.
final class RemoteFiles: Sendable {
    private typealias Completion = @Sendable (Result<String, HTTPError>) -> Void

    /// The files that are being read, and the callers that wait for each.
    private struct State {
        /// The files that threads are reading.
        var running: Set<BytePath> = []
        var receivers: [BytePath: [Int: Completion]] = [:]
        var lastNumber = 0
    }

    /// The reader of all requests.
    static let shared = RemoteFiles(maximum: 32) { path throws(HTTPError) in try HTTPSecret.file(path).read() }

    /// The most files that are being read. A further one is read when one of these has been.
    private let maximum: Int
    private let content: @Sendable (_ path: String) throws(HTTPError) -> String
    private let state = Locked(State())

    /// - Parameters:
    ///   - maximum: the most files that are being read.
    ///   - content: returns the content of a file; may block.
    init(maximum: Int, content: @escaping @Sendable (_ path: String) throws(HTTPError) -> String) {
        (self.maximum, self.content) = (maximum, content)
    }

    /// Returns the paths that are on network file systems, without an access to them.
    static func among(_ paths: [String]) -> [String] {
        if paths.isEmpty { return [] }
        let mounts = BlockingMounts.remote()
        return paths.filter { !mounts.touched(by: BytePath($0), recursive: false).isEmpty }
    }

    /// Reads the files one after the other until `deadline`, and calls `receive` once, on another thread.
    ///
    /// - Returns: a disposable that keeps `receive` from being called.
    func read(
        _ paths: [String], until deadline: SuspendingClock.Instant,
        _ receive: @escaping @Sendable (PreparedRequest.Files) -> Void
    ) -> any Disposable {
        // Not serial: a read may have ended, and the next one begun, before its disposable is known.
        let reading = CompositeDisposable()
        read(paths[...], [:], until: deadline, reading, receive)
        return reading
    }

    private func read(
        _ paths: ArraySlice<String>, _ contents: PreparedRequest.Files, until deadline: SuspendingClock.Instant,
        _ reading: CompositeDisposable, _ receive: @escaping @Sendable (PreparedRequest.Files) -> Void
    ) {
        guard let path = paths.first else { return receive(contents) }
        _ = reading.insert(
            read(path, within: max(.zero, deadline - .now)) { [self] result in
                read(paths.dropFirst(), contents.merging([path: result]) { $1 }, until: deadline, reading, receive)
            })
    }

    private func read(_ path: String, within timeout: Duration, _ receive: @escaping Completion) -> any Disposable {
        let file = BytePath(path)
        let (number, starts) = state.withLock { state -> (Int, Bool) in
            state.lastNumber += 1
            state.receivers[file, default: [:]][state.lastNumber] = receive
            let starts = !state.running.contains(file) && state.running.count < maximum
            if starts { state.running.insert(file) }
            return (state.lastNumber, starts)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout.interval) { [self] in
            take(number, of: file)?(.failure(HTTPError(.timeout, "the file system of \(path) does not answer")))
        }
        if starts { start(path) }
        return Disposables.create { [self] in
            let receive = take(number, of: file)
            withExtendedLifetime(receive) {}
        }
    }

    private func take(_ number: Int, of path: BytePath) -> Completion? {
        state.withLock { state in
            let receive = state.receivers[path]?.removeValue(forKey: number)
            if state.receivers[path]?.isEmpty == true { state.receivers[path] = nil }
            return receive
        }
    }

    private func start(_ path: String) {
        DispatchQueue(label: "rx.remote-file").async { [self] in
            let result = BlockingCalls.during("reading \(path)") {
                Result { () throws(HTTPError) in try content(path) }
            }
            let (receivers, next) = state.withLock { state -> ([Int: Completion], BytePath?) in
                state.running.remove(BytePath(path))
                let receivers = state.receivers.removeValue(forKey: BytePath(path)) ?? [:]
                let waiting = state.receivers.filter { !state.running.contains($0.key) }
                // The one that waits longest.
                let next = waiting.min { ($0.value.keys.min() ?? 0) < ($1.value.keys.min() ?? 0) }?.key
                if let next { state.running.insert(next) }
                return (receivers, next)
            }
            for (_, receive) in receivers.sorted(by: { $0.key < $1.key }) { receive(result) }
            // After them, so that the receivers of two files that are read one after the other are called in that order.
            if let next { start(next.description) }
        }
    }
}
