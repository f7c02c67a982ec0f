extension InfallibleType {
    /// Runs closures before and after each event is delivered, on the thread that delivers it.
    ///
    /// The closures run in the order of their names. An error that one of them throws goes to
    /// ``Hooks/defaultErrorHandler`` and completes the sequence.
    /// An error of `afterCompleted` is ignored: the sequence has completed by then. It completes with the source.
    ///
    /// - Parameters:
    ///   - onNext: takes each element before it is delivered.
    ///   - afterNext: takes each element after it was delivered.
    ///   - onCompleted: runs before the completion is delivered.
    ///   - afterCompleted: runs after the completion was delivered.
    ///   - onSubscribe: runs before a run starts.
    ///   - onSubscribed: runs after a run has started.
    ///   - onDispose: runs when a run has ended or was disposed.
    @preconcurrency
    @inlinable
    public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil,
        afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Infallible<Element> {
        Infallible(
            guarding: asObservable().do(
                onNext: onNext, afterNext: afterNext, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Notifies a listener of each subscription to this sequence, and of its events, as ``ObservableType/tap(_:)``.
    ///
    /// Completes with the source. The listener is called on the thread of the event.
    ///
    /// - Parameter listener: the object, which the sequence retains.
    @inlinable
    public func tap(_ listener: some SequenceListener) -> Infallible<Element> {
        Infallible(asObservable().tap(listener))
    }

    /// Prints the events of the sequence and its subscriptions.
    ///
    /// Completes with the source. A line is printed on the thread of the event, before the event is delivered.
    ///
    /// - Parameters:
    ///   - identifier: the name in the output. Default: the place of the call in the source.
    ///   - trimOutput: whether long descriptions of events are shortened.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    ///   - function: the function of the call.
    @inlinable
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> Infallible<Element> {
        Infallible(
            asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }

    /// Shares one run of this sequence among all subscribers, by the rules of `share` of ``ObservableType``.
    ///
    /// Subscribers are called on the source's thread, and receive the replayed elements on the thread that subscribes.
    /// After the completion, `scope` determines what the next subscriber receives.
    ///
    /// - Parameters:
    ///   - replay: the number of elements that a new subscriber receives first.
    ///   - scope: whether the replayed elements outlive the last subscriber.
    /// - Complexity: O(*n*) for each element, with *n* subscribers; subscribing takes time in proportion to the
    ///   replayed elements.
    @inlinable
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Infallible<Element> {
        Infallible(asObservable().share(replay: replay, scope: scope))
    }

    /// Shares one run among all subscribers, and keeps it for a while after the last has unsubscribed.
    ///
    /// It follows the rules of `share` of ``ObservableType``.
    ///
    /// Subscribers are called on the source's thread, and receive the replayed elements on the thread that subscribes.
    /// After the completion, the next subscriber starts the next run.
    ///
    /// - Parameters:
    ///   - replay: the number of elements that a new subscriber receives first.
    ///   - scope: how long the run continues without subscribers.
    /// - Complexity: O(*n*) for each element, with *n* subscribers; subscribing takes time in proportion to the
    ///   replayed elements.
    @inlinable
    public func share(replay: Int = 0, scope: GracePeriod) -> Infallible<Element> {
        Infallible(asObservable().share(replay: replay, scope: scope))
    }
}
