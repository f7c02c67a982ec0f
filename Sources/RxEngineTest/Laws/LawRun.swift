import RxEngine

/// What one side of an ``OperatorLaw`` did in a case.
struct LawRun<Output> {
    let events: [Recorded<Event<Output>>]
    /// The subscriptions to each source.
    let subscriptions: [[Subscription]]

    /// The subscriptions, also ordered within an instant if their order there does not count.
    func subscriptions(_ order: LawOrder) -> [[Subscription]] {
        guard order == .anyWithinInstant else { return subscriptions }
        return subscriptions.map { all in
            all.sorted { ($0.subscribe, $0.unsubscribe) < ($1.subscribe, $1.unsubscribe) }
        }
    }
}
