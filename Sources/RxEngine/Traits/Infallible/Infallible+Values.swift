extension InfallibleType {
    /// The elements from now on, for `for await`.
    ///
    /// Reading the property subscribes. Elements are buffered without bound until the task asks for them. Cancelling
    /// the task that iterates, or releasing the stream, disposes the subscription.
    /// The iteration ends when the sequence completes, and runs on the executor of its task, whichever thread emits.
    public var values: AsyncStream<Element> {
        values(bufferingPolicy: .unbounded)
    }

    /// Returns the elements from now on, for `for await`, with a limit on the number of queued elements.
    ///
    /// Otherwise it behaves as ``InfallibleType/values``.
    ///
    /// - Parameter bufferingPolicy: the number of elements to queue. Beyond it, `.bufferingNewest` drops the oldest
    ///   queued element, `.bufferingOldest` the arriving one.
    public func values(
        bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy
    ) -> AsyncStream<Element> {
        asObservable().streamWithoutErrors(bufferingPolicy, counting: nil)
    }

    /// Returns the elements from now on, for `for await`, and counts those that are queued in `demand`.
    ///
    ///     asInfallible(demand: demand)    --1--2-----3--4--|     waits while two are queued
    ///     values(demand: demand)          --1-----------2--
    ///
    /// Sources that can wait then wait while ``Demand/limit`` elements are in flight; see ``Demand``. Otherwise it
    /// behaves as ``InfallibleType/values``.
    ///
    /// - Parameters:
    ///   - demand: counts the queued elements until they are taken.
    ///   - bufferingPolicy: the number of elements to queue, and which to drop beyond it. It matters for sources that
    ///     cannot wait. Default: no limit.
    public func values(
        demand: Demand, bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) -> DemandedValues<AsyncStream<Element>> {
        asObservable().demandedStreamWithoutErrors(demand, bufferingPolicy)
    }
}

extension Observable {
    /// Subscribes a stream to a sequence that cannot fail, and counts what it queues in `share`.
    func streamWithoutErrors(
        _ bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy, counting share: DemandShare?
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: bufferingPolicy)
        let subscription = SingleAssignmentDisposable()
        continuation.onTermination = { termination in
            subscription.dispose()
            // After the end of the sequence, the consumer still takes what is queued.
            if case .cancelled = termination { share?.dispose() }
        }
        subscription.setDisposable(
            subscribe(
                onNext: { element in
                    // Unsafe: code that emits an element from another thread is responsible for its being sendable.
                    nonisolated(unsafe) let element = element
                    // Counted first: the consumer may take it at once.
                    share?.add()
                    switch continuation.yield(element) {
                    case .dropped, .terminated: share?.remove()
                    default: break
                    }
                },
                onDisposed: { continuation.finish() }))
        return stream
    }

    /// Subscribes a stream to a sequence that cannot fail, and counts the queued elements in `demand`.
    func demandedStreamWithoutErrors(
        _ demand: Demand, _ bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy
    ) -> DemandedValues<AsyncStream<Element>> {
        let share = DemandShare(of: demand)
        return DemandedValues(streamWithoutErrors(bufferingPolicy, counting: share), share)
    }
}
