import RxEngine

/// The permits of one run of a source that can block.
///
/// The source calls ``wait()`` on its own thread before it emits a value, and ``arrived()`` when the value becomes an
/// event.
package final class InFlightPermits: Sendable {
    // Unchecked: guarded by the lock of `unsettled`.
    /// A run of a source, with the permits that it has taken.
    final class Run: @unchecked Sendable {
        /// The number of permits whose values have not become events yet.
        var expected = 0
        var isOver = false
    }

    private let unsettled: UnsettledEventTable
    private let onWait: @Sendable () -> Void
    private let run = Run()

    /// - Parameters:
    ///   - unsettled: the events that the permits count with.
    ///   - onWait: called when ``wait()`` blocks until events are settled.
    init(_ unsettled: UnsettledEventTable = UnsettledEventTable(), onWait: @escaping @Sendable () -> Void = {}) {
        self.unsettled = unsettled
        self.onWait = onWait
    }

    /// Blocks until a permit is free, and takes it.
    ///
    /// - Returns: whether a permit was taken; `false` after the run has ended or if new events are rejected.
    func wait() -> Bool {
        while let (semaphore, isFull) = unsettled.takePermit(run) {
            if isFull { onWait() }
            semaphore.wait()
        }
        return unsettled.mayEmit(run)
    }

    /// Turns the permit of one value into an event.
    func arrived() {
        unsettled.arrived(run)
    }

    /// Ends the run: wakes the blocked threads, and returns the permits of values that will not become events.
    func end() {
        unsettled.end(run)
    }
}
