extension ObservableType {
    /// Emits each element with the time since the one before it, or since the subscription.
    ///
    ///     source            --a----b--|
    ///     timeInterval()    --a2---b5-|
    ///
    /// Completes and fails with the source. The observer is called on the source's thread: `scheduler` is only a clock.
    @inlinable
    public func timeInterval(
        scheduler: any SchedulerType
    ) -> Observable<(element: Element, interval: Duration)> {
        asObservable().lift(.timeInterval) { downstream in
            var last = scheduler.elapsed
            let step = Step<Element, (element: Element, interval: Duration)> { element, downstream in
                let now = scheduler.elapsed
                let interval = now - last
                last = now
                downstream.next((element: element, interval: interval))
            }
            return StepSink(.timeInterval, to: downstream, step)
        }
    }
}
