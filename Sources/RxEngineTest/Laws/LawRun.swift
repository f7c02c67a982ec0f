import RxEngine

/// What one side of an ``OperatorLaw`` did in a case.
struct LawRun<Output> {
    let events: [Recorded<Event<Output>>]
    /// The subscriptions to each source.
    let subscriptions: [[Subscription]]
}
