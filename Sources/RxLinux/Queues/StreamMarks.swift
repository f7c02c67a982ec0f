import RxEngine
import Synchronization

/// A mark in streams, behind everything that they had to emit when it was passed.
///
/// Each stream holds it until then, and a subscriber until it has received what is before it. When nothing holds the mark
/// any more, all have passed it.
public final class StreamMark: Sendable {
    private let whenPassed: @Sendable () -> Void
    private let cancelled = Atomic(false)

    /// Whether nobody waits for the mark any more, so that streams need not keep it.
    public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Creates a mark.
    ///
    /// - Parameter whenPassed: called, on any thread, when all streams have passed the mark or have ended.
    public init(_ whenPassed: @escaping @Sendable () -> Void) {
        self.whenPassed = whenPassed
    }

    /// Lets the streams forget the mark, which then counts as passed.
    public func cancel() {
        cancelled.store(true, ordering: .releasing)
    }

    deinit {
        whenPassed()
    }
}

/// The streams that a mark goes through: those of files and of journals that have not ended.
public final class StreamMarks: Sendable {
    private let streams = Locked<(last: Int, all: [Int: @Sendable (StreamMark) -> Void])>((0, [:]))

    /// Creates marks without streams.
    public init() {}

    /// Passes a mark to all streams. It returns at once.
    public func pass(_ mark: StreamMark) {
        for stream in streams.withLock({ Array($0.all.values) }) { stream(mark) }
    }

    /// Adds a stream.
    ///
    /// - Parameter pass: called with each mark; must not block.
    /// - Returns: the key for ``remove(_:)``.
    func add(_ pass: @escaping @Sendable (StreamMark) -> Void) -> Int {
        streams.withLock { streams in
            streams.last += 1
            streams.all[streams.last] = pass
            return streams.last
        }
    }

    func remove(_ key: Int) {
        let removed = streams.withLock { $0.all.removeValue(forKey: key) }
        withExtendedLifetime(removed) {}
    }
}
