extension SharedSequenceConvertibleType {
    /// Runs closures before and after each event is delivered, once for all subscribers.
    ///
    /// Completes with the source. The strategy's scheduler runs the closures for events; the thread that starts or
    /// stops a run calls the others.
    ///
    /// - Parameters:
    ///   - onNext: takes each element before it is delivered.
    ///   - afterNext: takes each element after it was delivered.
    ///   - onCompleted: runs before the completion is delivered.
    ///   - afterCompleted: runs after the completion was delivered.
    ///   - onSubscribe: runs before a run starts.
    ///   - onSubscribed: runs after a run has started.
    ///   - onDispose: runs when a run has ended and its source is freed.
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

    /// Notifies a listener of each run of this sequence, and of its events, once for all subscribers.
    ///
    /// Completes with the source. The strategy's scheduler calls the listener for events; the thread that starts or
    /// stops a run calls it for that.
    ///
    /// - Parameter listener: the object, which the sequence retains.
    public func tap(_ listener: some SequenceListener) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().tap(listener))
    }

    /// Prints the events of the sequence and its runs, once for all subscribers.
    ///
    /// Completes with the source. A line is printed on the thread of the event, before the event is delivered.
    ///
    /// - Parameters:
    ///   - identifier: the name in the output. Default: the place of the call in the source.
    ///   - trimOutput: whether long descriptions of events are shortened.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    ///   - function: the function of the call.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false,
        file: String = #file, line: UInt = #line, function: String = #function
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function)
        )
    }
}
