extension ObservableType {
    /// The same sequence, subscribed to and disposed on `scheduler`: where its source does its work when asked to.
    /// Where it tells its events is another matter; see ``ObservableType/observe(on:)``.
    ///
    /// Disposing silences the sequence at once, wherever that is done, and frees the source when the scheduler comes to
    /// it.
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.subscribeOn) { sink in
            let start = LateStart.make(of: source, into: sink)
            return scheduler.schedule(()) {
                ScheduledDisposable(scheduler: scheduler, disposable: start.now())
            }
        }
    }
}
