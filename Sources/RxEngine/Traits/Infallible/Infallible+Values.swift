extension InfallibleType {
    /// The elements from now on, for `for await`.
    ///
    /// It subscribes as soon as the property is read and keeps whatever is not asked for yet, without bound. Cancelling
    /// the task that iterates, or letting go of the stream, disposes the subscription.
    public var values: AsyncStream<Element> {
        AsyncStream { continuation in
            let subscription = subscribe(
                onNext: { element in
                    // Unsafe: whoever sends an element across threads owns the question whether it may be sent.
                    nonisolated(unsafe) let sent = element
                    continuation.yield(sent)
                },
                onCompleted: { continuation.finish() })
            continuation.onTermination = { _ in subscription.dispose() }
        }
    }
}
