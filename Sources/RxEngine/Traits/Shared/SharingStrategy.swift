/// How a ``SharedSequence`` is shared, and where it is delivered.
public protocol SharingStrategyProtocol: SendableMetatype {
    /// The scheduler that delivers every element.
    static var scheduler: any SchedulerType { get }

    /// One run of `source` for all subscribers.
    static func share<Element>(_ source: Observable<Element>) -> Observable<Element>
}

/// The strategy of a ``Driver``: on the main scheduler, newcomers first get the latest element.
public enum DriverSharingStrategy: SharingStrategyProtocol {
    /// The main scheduler, or what ``SharingScheduler/mock(scheduler:action:)`` put in its place.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// Shares, and replays the latest element while anyone is subscribed.
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(replay: 1, scope: .whileConnected)
    }
}

/// The strategy of a ``Signal``: on the main scheduler, newcomers get what comes after them.
public enum SignalSharingStrategy: SharingStrategyProtocol {
    /// The main scheduler, or what ``SharingScheduler/mock(scheduler:action:)`` put in its place.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// Shares, and replays nothing.
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(scope: .whileConnected)
    }
}
