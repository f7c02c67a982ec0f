extension InfallibleType {
    /// The elements from now on, for `for await`.
    ///
    /// Reading the property subscribes. Elements are buffered without bound until the task asks for them. Cancelling
    /// the task that iterates, or releasing the stream, disposes the subscription.
    /// The iteration ends when the sequence completes, and runs on the executor of its task, whichever thread emits.
    public var values: AsyncStream<Element> {
        AsyncStream { continuation in
            let subscription = subscribe(
                onNext: { element in
                    // Unsafe: code that emits an element from another thread is responsible for its being sendable.
                    nonisolated(unsafe) let sent = element
                    continuation.yield(sent)
                },
                onCompleted: { continuation.finish() })
            continuation.onTermination = { _ in subscription.dispose() }
        }
    }
}
