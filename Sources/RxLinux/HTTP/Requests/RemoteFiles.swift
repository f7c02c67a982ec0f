import Dispatch
import RxEngine

/// Reads files of requests, such as those with secrets, that are on network file systems, whose servers may not answer.
///
/// Each file is read by one thread at a time, so that requests that are repeated while a server does not answer use no
/// more of them.
enum RemoteFiles {
    private typealias Receive = @Sendable (Result<String, HTTPError>) -> Void

    private struct Readings {
        var receivers: [String: [Int: Receive]] = [:]
        var lastNumber = 0
    }

    /// The most files that are being read.
    private static let maximum = 32

    private static let readings = Locked(Readings())

    /// Returns the paths that are on network file systems, without an access to them.
    static func among(_ paths: [String]) -> [String] {
        if paths.isEmpty { return [] }
        let mounts = RemoteMounts()
        return paths.filter { !mounts.touched(by: BytePath($0), recursive: false).isEmpty }
    }

    /// Reads the files one after the other, and calls `receive` once, on another thread: with the contents of those that
    /// could be read, or after `timeout` with an error.
    static func read(
        _ paths: [String], within timeout: Duration,
        _ receive: @escaping @Sendable (Result<[String: String], HTTPError>) -> Void
    ) {
        read(paths, [:], until: .now + timeout, receive)
    }

    private static func read(
        _ paths: [String], _ contents: [String: String], until deadline: ContinuousClock.Instant,
        _ receive: @escaping @Sendable (Result<[String: String], HTTPError>) -> Void
    ) {
        guard let path = paths.first else { return receive(.success(contents)) }
        read(path, within: max(.zero, deadline - .now)) { result in
            var contents = contents
            switch result {
            case .success(let content): contents[path] = content
            case .failure(let error) where error.code == .timeout: return receive(.failure(error))
            // A file that cannot be read is reported by who needs it, at once.
            case .failure: break
            }
            read(Array(paths.dropFirst()), contents, until: deadline, receive)
        }
    }

    private static func read(_ path: String, within timeout: Duration, _ receive: @escaping Receive) {
        // The number of the receiver, if it is not refused, and whether the path is not being read yet.
        let (number, isFirst) = readings.withLock { readings -> (Int?, Bool) in
            let isFirst = readings.receivers[path] == nil
            if isFirst, readings.receivers.count >= maximum { return (nil, false) }
            readings.lastNumber += 1
            readings.receivers[path, default: [:]][readings.lastNumber] = receive
            return (readings.lastNumber, isFirst)
        }
        guard let number else {
            let message = "\(maximum) other files on file systems that do not answer are being read"
            return receive(.failure(HTTPError(.timeout, message)))
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout.interval) {
            let late = readings.withLock { $0.receivers[path]?.removeValue(forKey: number) }
            late?(.failure(HTTPError(.timeout, "the file system of \(path) does not answer")))
        }
        if isFirst { start(path) }
    }

    private static func start(_ path: String) {
        DispatchQueue(label: "rx.remote-file").async {
            let result = BlockingCalls.during("reading \(path)") {
                Result { () throws(HTTPError) in try HTTPSecret.file(path).read() }
            }
            let receivers = readings.withLock { $0.receivers.removeValue(forKey: path) ?? [:] }
            for (_, receive) in receivers.sorted(by: { $0.key < $1.key }) { receive(result) }
        }
    }
}
