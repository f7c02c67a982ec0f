extension ObservableType {
    /// Subscribes again after a completion, when the sequence of `notificationHandler` emits an element.
    ///
    ///     self             --1--|
    ///     notifications    -------------k----|
    ///     repeat(when:)    --1------------1--|
    ///
    /// `notificationHandler` is called once for each subscription, with a sequence that emits an element at each
    /// completion of this sequence. The sequence that it returns, the notifications, is subscribed to once, before this
    /// sequence. It follows the rules of ``retry(when:)-((Observable<Error>)->Trigger)``, with completions in place of
    /// errors: while this sequence runs, elements of the notifications are dropped, and their end replaces this
    /// sequence's next completion. `repeat { $0.take(3) }` runs the sequence three times.
    ///
    /// Completes when the notifications complete while this sequence is not running. Fails with the first error of this
    /// sequence, or with that of the notifications.
    ///
    /// The thread that emits the notification subscribes again; if another thread is processing a completion of the
    /// source at that moment, that one does.
    ///
    /// - Parameter notificationHandler: returns the notifications for the completions.
    @preconcurrency
    @inlinable
    public func `repeat`<Trigger: ObservableType>(
        when notificationHandler: @escaping @Sendable (Observable<Void>) -> Trigger
    ) -> Observable<Element> {
        let upstream = asObservable()
        return .source(.repeatWhen) { downstream in
            let run = RetryRun<Element, Void>(.repeatWhen, upstream, into: downstream) { end in
                if case .completed = end { () } else { nil }
            }
            return run.start { notificationHandler($0).asObservable() }
        }
    }
}
