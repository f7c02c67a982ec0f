extension SharedSequenceConvertibleType {
    /// Emits at most one element within `dueTime`: the first, then the latest one at the end of each span.
    ///
    ///     source                      -1-2-3------4--|
    ///     throttle(5 ticks)           -1----3-----4--|
    ///
    /// A span starts when an element has been delivered. The completion follows a pending element.
    /// All events are delivered on the strategy's scheduler, which also measures the spans.
    ///
    /// - Parameters:
    ///   - dueTime: the length of a span.
    ///   - latest: whether the last element of a span is emitted at its end. Without it the elements of a span are
    ///     dropped. Default: `true`.
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().throttle(dueTime, latest: latest, scheduler: SharingStrategy.scheduler))
    }

    /// Starts a span of `dueTime` at an element, and emits the latest element at its end.
    ///
    ///     source                      -1-2-3------4--|
    ///     auditTime(5 ticks)          ------3------4-|
    ///
    /// The completion follows a pending element.
    /// All events are delivered on the strategy's scheduler, which also measures the spans.
    public func auditTime(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().auditTime(dueTime, scheduler: SharingStrategy.scheduler))
    }

    /// Emits an element when `dueTime` has passed without another one.
    ///
    ///     source                      -1-2-3------4--|
    ///     debounce(3 ticks)           --------3---4--|
    ///
    /// The completion delivers a pending element at once.
    /// All events are delivered on the strategy's scheduler, which also measures the time.
    public func debounce(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().debounce(dueTime, scheduler: SharingStrategy.scheduler))
    }

    /// Delivers each element and the completion `dueTime` later.
    ///
    ///     source                      -1-2-3-|
    ///     delay(2 ticks)              ---1-2-3-|
    ///
    /// They are delivered on the strategy's scheduler, which also measures the time. The number of pending elements has
    /// no bound.
    public func delay(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().delay(dueTime, scheduler: SharingStrategy.scheduler))
    }
}
