extension SharedSequence {
    /// The elements for `for await`, on the main actor.
    ///
    /// Reading the property subscribes. Elements are buffered without bound until the task asks for them. Cancelling
    /// the task that iterates disposes the subscription and ends the iteration.
    /// The iteration ends when the sequence completes.
    @MainActor
    public var values: AsyncStream<Element> {
        values(bufferingPolicy: .unbounded)
    }

    /// Returns the elements for `for await`, on the main actor, with a limit on the number of queued elements.
    ///
    /// Otherwise it behaves as ``SharedSequence/values``.
    ///
    /// - Parameter bufferingPolicy: the number of elements to queue. Beyond it, `.bufferingNewest` drops the oldest
    ///   queued element, `.bufferingOldest` the arriving one.
    @MainActor
    public func values(
        bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy
    ) -> AsyncStream<Element> {
        asObservable().streamWithoutErrors(bufferingPolicy, counting: nil)
    }

    /// Returns the elements for `for await`, on the main actor, and counts those that are queued in `demand`.
    ///
    ///     asDriver(demand: demand)        --1--2-----3--4--|     waits while two are queued
    ///     values(demand: demand)          --1-----------2--
    ///
    /// Sources that can wait then wait while ``Demand/limit`` elements are in flight; see ``Demand``. With several
    /// subscribers that count, the source waits for the slowest one. Otherwise it behaves as ``SharedSequence/values``.
    ///
    /// - Parameters:
    ///   - demand: counts the queued elements until they are taken.
    ///   - bufferingPolicy: the number of elements to queue, and which to drop beyond it. It matters for sources that
    ///     cannot wait. Default: no limit.
    @MainActor
    public func values(
        demand: Demand, bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) -> DemandedValues<AsyncStream<Element>> {
        asObservable().demandedStreamWithoutErrors(demand, bufferingPolicy)
    }
}
