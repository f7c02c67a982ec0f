import RxEngine
import Synchronization

/// A barrier in streams: each stream emits it after everything that had happened before the barrier was passed to it.
///
/// A stream retains the barrier until it emits it, and a subscriber until it has received the events before it. When
/// nothing retains the barrier any more, all streams have passed it.
public final class SyncBarrier: Sendable {
    private let whenPassed: @Sendable () -> Void
    private let cancelled = Atomic(false)

    /// Whether nobody waits for the barrier any more, so that streams need not keep it.
    public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Creates a barrier.
    ///
    /// - Parameter whenPassed: called, on any thread, when all streams have passed the barrier or have ended.
    public init(_ whenPassed: @escaping @Sendable () -> Void) {
        self.whenPassed = whenPassed
    }

    /// Makes the streams release the barrier, which then counts as passed.
    public func cancel() {
        cancelled.store(true, ordering: .releasing)
    }

    deinit {
        whenPassed()
    }
}

/// The streams that barriers are passed to: those of files and of journals that have not ended.
public final class BarrierStreams: Sendable {
    private let streams = Locked<(last: Int, all: [Int: @Sendable (SyncBarrier) -> Void])>((0, [:]))

    /// Creates an empty set of streams.
    public init() {}

    /// Passes a barrier to all streams. It returns at once.
    public func pass(_ barrier: SyncBarrier) {
        for stream in streams.withLock({ Array($0.all.values) }) { stream(barrier) }
    }

    /// Adds a stream.
    ///
    /// - Parameter pass: called with each barrier; must not block.
    /// - Returns: the key for ``remove(_:)``.
    func add(_ pass: @escaping @Sendable (SyncBarrier) -> Void) -> Int {
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
