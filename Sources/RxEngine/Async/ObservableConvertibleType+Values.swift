extension ObservableConvertibleType {
    /// The elements for `for try await`.
    ///
    /// Reading the property subscribes; each read starts a run of its own. Elements wait without bound until they are
    /// asked for. An error is thrown. Cancelling the task that iterates disposes the subscription and makes the
    /// iteration throw `CancellationError`, and so does dropping the stream.
    public var values: AsyncThrowingStream<Element, any Error> {
        values(bufferingPolicy: .unbounded)
    }

    /// The elements for `for try await`, of which as many wait to be asked for as `bufferingPolicy` says; otherwise as
    /// ``ObservableConvertibleType/values``.
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
            // Where the sequence has ended the stream is finished, and this does nothing any more.
            onDisposed: { continuation.finish(throwing: CancellationError()) }
        )
        subscription.setDisposable(live)
        return stream
    }
}

/// The last link of a chain whose elements go to a stream.
private final class StreamSink<Element>: Sink<Element> {
    private let continuation: AsyncThrowingStream<Element, any Error>.Continuation

    init(_ continuation: AsyncThrowingStream<Element, any Error>.Continuation, _ live: LiveSubscription) {
        self.continuation = continuation
        super.init(live)
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        // Unsafe: whoever sends an element across threads owns the question whether it may be sent.
        nonisolated(unsafe) let element = element
        continuation.yield(element)
    }

    override func error(_ error: any Error) {
        guard live.end() else { return }
        continuation.finish(throwing: error)
        live.dispose()
    }

    override func completed() {
        guard live.end() else { return }
        continuation.finish()
        live.dispose()
    }
}
