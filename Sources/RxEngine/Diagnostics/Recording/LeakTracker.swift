extension Resources {
    /// Finds what was subscribed after the tracker was made and is still alive.
    ///
    /// ```swift
    /// let tracker = Resources.LeakTracker()
    /// run(screen)
    /// for leak in tracker.leaks() { print(leak) }
    /// // subscription, checkpoint "orders", subscribed 3.2 s ago, owner CompositeDisposable released
    /// ```
    ///
    /// Subscriptions are recorded as long as a tracker is alive, also those of other threads, and whatever
    /// ``Resources/recording`` says. Without the package trait `TRACE_RESOURCES` there are no leaks to find.
    public final class LeakTracker: Sendable {
        private let first: UInt64

        /// Starts tracking.
        public init() {
            Resources.countTracker(1)
            first = SubscriptionRegistry.lastNumber
        }

        deinit {
            Resources.countTracker(-1)
        }

        /// Returns the subscriptions that were made since and are alive now, oldest first.
        ///
        /// The operators in their chains are among them.
        ///
        /// Any thread may call it.
        public func leaks() -> [Graph.Node] {
            let first = first
            return Graph(SubscriptionRegistry.all, at: .now).nodes.filter { $0.id > first && $0.age != nil }
        }
    }

    /// Runs `body` and returns what was subscribed meanwhile and is still alive.
    ///
    /// It includes what other threads have subscribed at the same time.
    ///
    /// - Parameter body: runs on this thread; everything that it subscribes to should have ended or be disposed when it
    ///   returns.
    /// - Returns: a node for each subscription, and for each operator in a chain, that is alive.
    public static func trackLeaks(_ body: () throws -> Void) rethrows -> [Graph.Node] {
        let tracker = LeakTracker()
        try body()
        return tracker.leaks()
    }

    /// Runs `body` and returns what was subscribed meanwhile and is still alive.
    ///
    /// It includes what other threads have subscribed at the same time.
    ///
    /// - Parameters:
    ///   - isolation: the actor that `body` runs on; the caller's by default.
    ///   - body: everything that it subscribes to should have ended or be disposed when it returns.
    /// - Returns: a node for each subscription, and for each operator in a chain, that is alive.
    public static func trackLeaks(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
    ) async rethrows -> [Graph.Node] {
        let tracker = LeakTracker()
        try await body()
        return tracker.leaks()
    }
}
