extension SharedSequence {
    /// The elements for `for await`, on the main actor.
    ///
    /// Reading the property subscribes. Elements are buffered without bound until the task asks for them. Cancelling
    /// the task that iterates disposes the subscription and ends the iteration.
    /// The iteration ends when the sequence completes.
    @MainActor
    public var values: AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        let subscription = SingleAssignmentDisposable()
        continuation.onTermination = { _ in subscription.dispose() }
        subscription.setDisposable(
            asObservable().subscribe(
                onNext: { element in
                    // Unsafe: code that emits an element from another thread is responsible for its being sendable.
                    nonisolated(unsafe) let element = element
                    continuation.yield(element)
                },
                onDisposed: { continuation.finish() }
            )
        )
        return stream
    }
}
