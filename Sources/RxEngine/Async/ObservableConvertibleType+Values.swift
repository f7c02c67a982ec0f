extension ObservableConvertibleType {
    /// The elements, for iteration with `for try await`.
    ///
    /// ```swift
    /// for try await price in prices.values { print(price) }
    /// ```
    ///
    /// Reading the property subscribes; each read starts its own run. Elements that are not yet requested are queued
    /// without bound. An error of the sequence is thrown. Cancelling the iterating task disposes the subscription and
    /// makes the iteration throw `CancellationError`; releasing the stream disposes the subscription too.
    /// The iteration ends when the sequence completes, and runs on the executor of its task, whichever thread emits.
    public var values: AsyncThrowingStream<Element, any Error> {
        values(bufferingPolicy: .unbounded)
    }

    /// Returns the elements, for iteration with `for try await`, with a limit on the number of queued elements.
    ///
    /// Otherwise it behaves as ``ObservableConvertibleType/values``.
    ///
    /// - Parameter bufferingPolicy: the number of elements to queue, and which to drop beyond it.
    public func values(
        bufferingPolicy: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy
    ) -> AsyncThrowingStream<Element, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Element.self, throwing: (any Error).self, bufferingPolicy: bufferingPolicy
        )
        let subscription = SingleAssignmentDisposable()
        continuation.onTermination = { _ in subscription.dispose() }
        let live = LiveSubscription()
        asObservable().start(
            StreamSink(continuation, live), live,
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

    init(_ continuation: AsyncThrowingStream<Element, any Error>.Continuation, _ live: LiveSubscription) {
        self.continuation = continuation
        super.init(live)
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        // Unsafe: the code that sends an element to another thread is responsible for whether it may be sent.
        nonisolated(unsafe) let element = element
        continuation.yield(element)
    }

    override func ended(_ end: Termination) {
        switch end {
        case .error(let error): continuation.finish(throwing: error)
        case .completed: continuation.finish()
        }
    }
}
