extension SharedSequence {
    /// The elements for `for await`, on the main actor.
    ///
    /// Reading the property subscribes. Elements wait without bound until they are asked for. Cancelling the task that
    /// iterates disposes the subscription and ends the iteration.
    @MainActor
    public var values: AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        let subscription = SingleAssignmentDisposable()
        continuation.onTermination = { _ in subscription.dispose() }
        subscription.setDisposable(
            asObservable().subscribe(
                onNext: { element in
                    // Unsafe: whoever sends an element across threads owns the question whether it may be sent.
                    nonisolated(unsafe) let element = element
                    continuation.yield(element)
                },
                onDisposed: { continuation.finish() }
            )
        )
        return stream
    }
}
