import RxEngine

/// The permits of one run of a source that can block. The source calls ``wait()`` on its own thread before it emits a
/// value, and ``arrived()`` where the value becomes an event.
package final class InFlightPermits: Sendable {
    // Unchecked: guarded by the lock of `unsettled`.
    final class Run: @unchecked Sendable {
        /// Permits that are taken by events which have not arrived yet.
        var expected = 0
        var isOver = false
    }

    private let unsettled: Unsettled
    private let onWait: @Sendable () -> Void
    private let run = Run()

    /// - Parameter onWait: called when the caller has to wait.
    init(_ unsettled: Unsettled = Unsettled(), onWait: @escaping @Sendable () -> Void = {}) {
        self.unsettled = unsettled
        self.onWait = onWait
    }

    /// Blocks until there is a permit.
    ///
    /// - Returns: whether there is one; `false` after the run has ended or new events are rejected.
    func wait() -> Bool {
        while let place = unsettled.takePermit(run) {
            onWait()
            place.wait()
        }
        return unsettled.mayEmit(run)
    }

    func arrived() {
        unsettled.arrived(run)
    }

    /// Ends the run: wakes whoever waits, and returns the permits of events that will not arrive.
    func end() {
        unsettled.end(run)
    }
}
