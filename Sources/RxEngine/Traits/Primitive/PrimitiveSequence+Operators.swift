/// What every trait can do without changing its promise. The rules are those of the operators of ``ObservableType``.
extension PrimitiveSequenceType {
    /// The same outcome, `dueTime` later; an error is told at once.
    ///
    ///     source      --x|
    ///     delay(3)    -----x|
    @inlinable
    public func delay(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delay(dueTime, scheduler: scheduler))
    }

    /// The same sequence, subscribed to `dueTime` later.
    @inlinable
    public func delaySubscription(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    /// The same outcome, told on `scheduler`.
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.observe(on: scheduler))
    }

    /// The same sequence, subscribed to and disposed on `scheduler`.
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.subscribe(on: scheduler))
    }

    /// Goes on, after an error, with what `handler` makes of it. An error thrown by it takes the other's place.
    ///
    ///     source              ---X
    ///     catch { _ in y }    ---y|
    @preconcurrency
    @inlinable
    public func `catch`(
        _ handler: @escaping @Sendable (any Swift.Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.catch { try handler($0).source })
    }

    /// Subscribes again after an error, `maxAttemptCount` times in all; the last error is told.
    @inlinable
    public func retry(_ maxAttemptCount: Int) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(maxAttemptCount))
    }

    /// Subscribes again after an error of one type, at each element of what `notificationHandler` makes of the errors;
    /// the end of that is the end of this, for a single ``RxError/noElements``. An error of another type passes.
    @preconcurrency
    @inlinable
    public func retry<TriggerObservable: ObservableType, Error: Swift.Error>(
        when notificationHandler: @escaping @Sendable (Observable<Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(maybeWithoutElement: source.retry(when: notificationHandler))
    }

    /// Subscribes again after an error, at each element of what `notificationHandler` makes of the errors; the end of
    /// that is the end of this, for a single ``RxError/noElements``.
    @preconcurrency
    @inlinable
    public func retry<TriggerObservable: ObservableType>(
        when notificationHandler: @escaping @Sendable (Observable<any Swift.Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(maybeWithoutElement: source.retry(when: notificationHandler))
    }

    /// Prints what happens to the sequence.
    ///
    /// - Parameters:
    ///   - identifier: names it in print; without one, its place in the program does.
    ///   - trimOutput: whether long descriptions of events are cut.
    @inlinable
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: source.debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }

    /// Fails with ``RxError/timeout`` when there is no outcome within `dueTime`.
    ///
    ///     source        -------x|
    ///     timeout(3)    ---X
    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, scheduler: scheduler))
    }

    /// Goes on with `other` instead when there is no outcome within `dueTime`.
    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, other: other.source, scheduler: scheduler))
    }
}
