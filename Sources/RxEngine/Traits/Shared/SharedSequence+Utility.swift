extension SharedSequenceConvertibleType {
    /// Runs closures at what happens to the sequence, once for all subscribers.
    ///
    /// - Parameters:
    ///   - onNext: takes each element before it is passed on.
    ///   - afterNext: takes each element after it was passed on.
    ///   - onCompleted: runs before the end is passed on.
    ///   - afterCompleted: runs after the end was passed on.
    ///   - onSubscribe: runs before a run starts.
    ///   - onSubscribed: runs after a run has started.
    ///   - onDispose: runs when a run is over and its source freed.
    @preconcurrency
    public func `do`(
        onNext: (@Sendable (Element) -> Void)? = nil,
        afterNext: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        afterCompleted: (@Sendable () -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            asObservable().do(
                onNext: onNext, afterNext: afterNext, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose
            )
        )
    }

    /// Prints what happens to the sequence, once for all subscribers.
    ///
    /// - Parameters:
    ///   - identifier: what the lines begin with, otherwise the place of the call.
    ///   - trimOutput: whether long lines are shortened.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false,
        file: String = #file, line: UInt = #line, function: String = #function
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function)
        )
    }
}
