/// What a bounded boundary between two threads does with elements that arrive faster than they are delivered.
public struct BackpressureStrategy: Sendable {
    @usableFromInline let limit: Int
    @usableFromInline let overflow: OverflowRule

    /// Queues up to `limit` elements, and handles further ones by `overflow`.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of queued elements, at least 1.
    ///   - overflow: selects the element that is dropped if the queue is full.
    public static func buffer(limit: Int, overflow: OverflowRule) -> BackpressureStrategy {
        precondition(limit > 0, "buffer(limit:overflow:): the limit must be positive, but is \(limit)")
        return BackpressureStrategy(limit: limit, overflow: overflow)
    }

    /// Queues one element, and drops those that arrive while it is queued.
    public static let dropNewest = BackpressureStrategy(limit: 1, overflow: .dropNewest)
    /// Queues one element, which each one that arrives replaces.
    public static let latest = BackpressureStrategy(limit: 1, overflow: .latest)
    /// Queues one element, and fails with a ``BufferOverflowError`` at one that arrives while it is queued.
    public static let error = BackpressureStrategy(limit: 1, overflow: .error)

    private init(limit: Int, overflow: OverflowRule) {
        self.limit = limit
        self.overflow = overflow
    }
}

extension ObservableType {
    /// Delivers the events on `scheduler`, queues a bounded number of elements, and drops what does not fit.
    ///
    ///     source                                      --1234------|
    ///     onBackpressure(.latest, on: busy)           --1----4----|      onDropped is called with 2 and 3
    ///     onBackpressure(.dropNewest, on: busy)       --1----2----|      onDropped is called with 3 and 4
    ///     onBackpressure(.error, on: busy)            --1----2-X         onDropped is called with 3
    ///
    /// It is ``ObservableType/observe(on:bufferSize:overflow:drops:)`` with a closure for the dropped elements. The
    /// thread that emits is never blocked. Elements keep their order and are delivered one at a time, also on a
    /// concurrent scheduler. The element that is being delivered is not queued any more.
    ///
    /// Completes and fails with the source, after the queued elements. With ``OverflowRule/error`` an overflow disposes
    /// the source, and the error follows the queued elements. Elements that are queued when the run is disposed are
    /// dropped without a call of `onDropped`.
    /// The observer is called on `scheduler`, and `onDropped` on the source's thread.
    ///
    /// - Parameters:
    ///   - strategy: how many elements are queued, and which one is dropped if there are more.
    ///   - scheduler: the scheduler that delivers the events.
    ///   - onDropped: receives each dropped element.
    @preconcurrency
    @inlinable
    public func onBackpressure(
        _ strategy: BackpressureStrategy, on scheduler: any ImmediateSchedulerType,
        onDropped: (@Sendable (Element) -> Void)? = nil
    ) -> Observable<Element> {
        asObservable().observe(
            on: scheduler, through: { BoundedQueue(strategy.limit, strategy.overflow, onDropped: onDropped) })
    }
}
