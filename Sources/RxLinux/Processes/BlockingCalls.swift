import RxEngine

/// The work of this process that a server, a disk or another program may block for any time.
///
/// A stop names what of it it does not wait for.
public enum BlockingCalls {
    /// The calls that run, numbered in the order in which they began.
    private struct RunningCalls {
        var calls: [Int: String] = [:]
        var begun = 0
    }

    private static let running = Locked(RunningCalls())

    /// The running work, such as `appending to '/mnt/out'`, in the order in which it began.
    public static var descriptions: [String] {
        running.withLock { $0.calls.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Runs `body`, and lists it meanwhile.
    static func during<Value, Failure>(
        _ doing: String, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let end = begin(doing)
        defer { end() }
        return try body()
    }

    /// Lists some work until the result is called.
    public static func begin(_ doing: String) -> @Sendable () -> Void {
        let number = running.withLock { running in
            running.begun += 1
            running.calls[running.begun] = doing
            return running.begun
        }
        return { _ = running.withLock { $0.calls.removeValue(forKey: number) } }
    }
}
