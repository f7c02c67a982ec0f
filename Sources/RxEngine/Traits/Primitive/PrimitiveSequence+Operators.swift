/// The operators that keep the promise of every trait. They follow the rules of those of ``ObservableType``.
extension PrimitiveSequenceType {
    /// Delivers the element or the completion on `scheduler`, `dueTime` later.
    ///
    ///     source      --x|
    ///     delay(3)    -----x|
    ///
    /// An error is not delayed.
    /// It is delivered at once, on the source's thread.
    @inlinable
    public func delay(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delay(dueTime, scheduler: scheduler))
    }

    /// Subscribes to the sequence on `scheduler`, `dueTime` after the subscription.
    ///
    /// The outcome, also an error, is delivered on the threads of the sequence.
    @inlinable
    public func delaySubscription(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    /// Delivers the outcome on `scheduler`.
    ///
    /// This includes an error.
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.observe(on: scheduler))
    }

    /// Subscribes to the sequence, and disposes the subscription, on `scheduler`.
    ///
    /// The outcome, also an error, is delivered on the threads of the sequence.
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.subscribe(on: scheduler))
    }

    /// Subscribes to the sequence that `handler` returns for an error.
    ///
    ///     source              ---X
    ///     catch { _ in y }    ---y|
    ///
    /// An error that `handler` throws replaces the first.
    /// Any other outcome passes. `handler` runs on the thread that delivers the error, which then subscribes to its
    /// result.
    @preconcurrency
    @inlinable
    public func `catch`(
        _ handler: @escaping @Sendable (any Swift.Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.catch { try handler($0).source })
    }

    /// Subscribes again after an error, with `maxAttemptCount` attempts in all.
    ///
    /// The error of the last attempt passes.
    /// Any other outcome passes. The thread that delivers the error subscribes again.
    @inlinable
    public func retry(_ maxAttemptCount: Int) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(maxAttemptCount))
    }

    /// Subscribes again after an error of one type when the sequence of `notificationHandler` emits an element.
    ///
    /// An error of another type passes. The end of the notification sequence takes the place of such an error: its own
    /// error fails the result, its completion completes it; a single then fails with ``RxError/noElements``.
    /// An outcome other than an error passes. The thread that emits the notification subscribes again.
    ///
    /// - Parameter notificationHandler: takes the sequence of the errors and returns the one whose elements start
    ///   attempts.
    @preconcurrency
    @inlinable
    public func retry<TriggerObservable: ObservableType, Error: Swift.Error>(
        when notificationHandler: @escaping @Sendable (Observable<Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(maybeWithoutElement: source.retry(when: notificationHandler))
    }

    /// Subscribes again after an error when the sequence of `notificationHandler` emits an element.
    ///
    /// The end of the notification sequence takes the place of an error: its own error fails the result, its completion
    /// completes it; a single then fails with ``RxError/noElements``.
    /// An outcome other than an error passes. The thread that emits the notification subscribes again.
    ///
    /// - Parameter notificationHandler: takes the sequence of the errors and returns the one whose elements start
    ///   attempts.
    @preconcurrency
    @inlinable
    public func retry<TriggerObservable: ObservableType>(
        when notificationHandler: @escaping @Sendable (Observable<any Swift.Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(maybeWithoutElement: source.retry(when: notificationHandler))
    }

    /// Prints the events of the sequence and its subscriptions.
    ///
    /// The outcome passes unchanged. A line is printed on the thread of the event, before the event is delivered.
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
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: source.debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }

    /// Fails with ``RxError/timeout`` if there is no outcome within `dueTime`.
    ///
    ///     source        -------x|
    ///     timeout(3)    ---X
    ///
    /// The timeout is delivered on `scheduler`.
    /// Any other outcome passes, on the thread that delivers it.
    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, scheduler: scheduler))
    }

    /// Subscribes to `other` on `scheduler` if there is no outcome within `dueTime`.
    ///
    /// The subscription to this sequence is disposed then.
    /// From then on, the outcome is that of `other`; before, that of this sequence, on the thread that delivers it.
    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, other: other.source, scheduler: scheduler))
    }
}
