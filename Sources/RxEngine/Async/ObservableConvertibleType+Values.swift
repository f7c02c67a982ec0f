extension ObservableConvertibleType {
    /// The elements, for iteration with `for try await`.
    ///
    /// ```swift
    /// for try await price in prices.values { print(price) }
    /// ```
    ///
    /// Reading the property subscribes; each read starts its own run. Elements that are not yet requested are queued
    /// without bound. An error of the sequence is thrown. Cancelling the iterating task disposes the subscription, inside
    /// the call of `cancel()` if the task waits for an element and otherwise when it asks for the next one, and makes the
    /// iteration throw `CancellationError`. Releasing the stream disposes the subscription too.
    /// The iteration ends when the sequence completes, and runs on the executor of its task, whichever thread emits.
    public var values: AsyncThrowingStream<Element, any Error> {
        values(bufferingPolicy: .unbounded)
    }

    // Disfavored: the methods of this name of sequences that cannot fail return streams that throw nothing.
    /// Returns the elements, for iteration with `for try await`, with a limit on the number of queued elements.
    ///
    /// Otherwise it behaves as ``ObservableConvertibleType/values``.
    ///
    /// - Parameter bufferingPolicy: the number of elements to queue. Beyond it, `.bufferingNewest` drops the oldest queued
    ///   element, `.bufferingOldest` the arriving one.
    @_disfavoredOverload
    public func values(
        bufferingPolicy: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy
    ) -> AsyncThrowingStream<Element, any Error> {
        stream(bufferingPolicy, counting: nil)
    }

    // As above.
    /// Returns the elements, for iteration with `for try await`, and counts those that are queued in `demand`.
    ///
    ///     asObservable(demand: demand)    --1--2-----3--4--|     waits while two are queued
    ///     values(demand: demand)          --1-----------2--
    ///
    /// Sources that can wait then wait while ``Demand/limit`` elements are in flight; see ``Demand``. Otherwise it behaves
    /// as ``ObservableConvertibleType/values``.
    ///
    /// - Parameters:
    ///   - demand: counts the queued elements until they are taken.
    ///   - bufferingPolicy: the number of elements to queue, and which to drop beyond it. It matters for sources that
    ///     cannot wait. Default: no limit.
    @_disfavoredOverload
    public func values(
        demand: Demand,
        bufferingPolicy: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy = .unbounded
    ) -> DemandedValues<AsyncThrowingStream<Element, any Error>> {
        let share = DemandShare(of: demand)
        return DemandedValues(stream(bufferingPolicy, counting: share), share)
    }

    private func stream(
        _ bufferingPolicy: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy,
        counting share: DemandShare?
    ) -> AsyncThrowingStream<Element, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Element.self, throwing: (any Error).self, bufferingPolicy: bufferingPolicy
        )
        let subscription = SingleAssignmentDisposable()
        continuation.onTermination = { termination in
            subscription.dispose()
            // After the end of the sequence, the consumer still takes what is queued.
            if case .cancelled = termination { share?.dispose() }
        }
        let live = LiveSubscription()
        asObservable().start(
            StreamSink(continuation, live, counting: share), live,
            // If the sequence has ended, the stream has finished and this has no effect.
            onDisposed: { continuation.finish(throwing: CancellationError()) }
        )
        subscription.setDisposable(live)
        return stream
    }
}

/// The boundary sink of a chain whose elements go to a stream.
private final class StreamSink<Element>: BoundarySink<Element> {
    private let continuation: AsyncThrowingStream<Element, any Error>.Continuation
    private let share: DemandShare?

    init(
        _ continuation: AsyncThrowingStream<Element, any Error>.Continuation, _ live: LiveSubscription,
        counting share: DemandShare?
    ) {
        self.continuation = continuation
        self.share = share
        super.init(live)
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        // Unsafe: the code that sends an element to another thread is responsible for whether it may be sent.
        nonisolated(unsafe) let element = element
        // Counted first: the consumer may take it at once.
        share?.add()
        switch continuation.yield(element) {
        case .dropped, .terminated: share?.remove()
        default: break
        }
    }

    override func ended(_ end: Termination) {
        switch end {
        case .error(let error): continuation.finish(throwing: error)
        case .completed: continuation.finish()
        }
    }
}
