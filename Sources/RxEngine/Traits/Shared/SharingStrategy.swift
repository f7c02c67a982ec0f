/// A strategy of a ``SharedSequence``: its scheduler, and how it is shared.
public protocol SharingStrategyProtocol: SendableMetatype {
    /// The scheduler that delivers every element.
    static var scheduler: any SchedulerType { get }

    /// Shares one run of `source` among all subscribers.
    static func share<Element>(_ source: Observable<Element>) -> Observable<Element>
}

/// The strategy of a ``Driver``: delivers on the main scheduler and replays the latest element to a new subscriber.
public enum DriverSharingStrategy: SharingStrategyProtocol {
    /// The main scheduler, or the replacement of ``SharingScheduler/mock(scheduler:action:)``.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// Shares one run of `source`, and replays the latest element while there is a subscriber.
    ///
    /// Completes and fails with `source`, and delivers on its threads.
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(replay: 1, scope: .whileConnected)
    }
}

/// The strategy of a ``Signal``: delivers on the main scheduler and replays nothing.
public enum SignalSharingStrategy: SharingStrategyProtocol {
    /// The main scheduler, or the replacement of ``SharingScheduler/mock(scheduler:action:)``.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// Shares one run of `source`, and replays nothing.
    ///
    /// Completes and fails with `source`, and delivers on its threads.
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(scope: .whileConnected)
    }
}
