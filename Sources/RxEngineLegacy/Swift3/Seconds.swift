import RxEngine

extension RxTimeInterval {
    /// A span of a number of seconds that may have a fraction, to the nanosecond. A number that is not positive, or not
    /// a number, is not a time; one of more than a century is a century.
    static func fractional(_ seconds: Double) -> RxTimeInterval {
        let limited = seconds > 0 ? min(seconds, 3_155_760_000) : 0
        return .nanoseconds(Int((limited * 1e9).rounded()))
    }
}

// The operators with spans in seconds, as a `Double`.
extension ObservableType {
    /// Emits an element and then no other for `dueTime` seconds: see `throttle(_:latest:scheduler:)`.
    ///
    /// Completes and fails with the source. Delayed elements are emitted on `scheduler`.
    @_disfavoredOverload
    public func throttle(_ dueTime: Double, latest: Bool = true, scheduler: any SchedulerType) -> Observable<Element> {
        throttle(.fractional(dueTime), latest: latest, scheduler: scheduler)
    }

    /// Emits an element if no other follows it for `dueTime` seconds, as the name meant in Swift 2.
    ///
    /// See `debounce(_:scheduler:)`.
    ///
    /// Completes and fails with the source. Elements are emitted on `scheduler`.
    public func throttle(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        debounce(.fractional(dueTime), scheduler: scheduler)
    }

    /// Emits an element if no other follows it for `dueTime` seconds: see `debounce(_:scheduler:)`.
    ///
    /// Completes and fails with the source. Elements are emitted on `scheduler`.
    @_disfavoredOverload
    public func debounce(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        debounce(.fractional(dueTime), scheduler: scheduler)
    }

    /// Delays elements by `dueTime` seconds: see `delay(_:scheduler:)`.
    ///
    /// Completes with the source, later, and fails with it at once. Elements are emitted on `scheduler`.
    @_disfavoredOverload
    public func delay(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        delay(.fractional(dueTime), scheduler: scheduler)
    }

    /// Subscribes after `dueTime` seconds: see `delaySubscription(_:scheduler:)`.
    ///
    /// Completes and fails with the source. The source is subscribed to on `scheduler`.
    @_disfavoredOverload
    public func delaySubscription(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        delaySubscription(.fractional(dueTime), scheduler: scheduler)
    }

    /// Fails if no element follows within `dueTime` seconds: see `timeout(_:scheduler:)`.
    ///
    /// Completes and fails with the source, or fails with ``RxEngine/RxError/timeout`` on `scheduler`.
    @_disfavoredOverload
    public func timeout(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        timeout(.fractional(dueTime), scheduler: scheduler)
    }

    /// Switches to `other` if no element follows within `dueTime` seconds: see `timeout(_:other:scheduler:)`.
    ///
    /// Completes and fails with the source, or from the timeout on with `other`, which is subscribed to on `scheduler`.
    @_disfavoredOverload
    public func timeout(
        _ dueTime: Double, other: some ObservableConvertibleType<Element>, scheduler: any SchedulerType
    ) -> Observable<Element> {
        timeout(.fractional(dueTime), other: other.asObservable(), scheduler: scheduler)
    }

    /// Drops the elements of the first `duration` seconds: see `skip(_:scheduler:)`.
    ///
    /// Completes and fails with the source. The observer is called on the source's thread.
    @_disfavoredOverload
    public func skip(_ duration: Double, scheduler: any SchedulerType) -> Observable<Element> {
        skip(.fractional(duration), scheduler: scheduler)
    }

    /// Completes after `duration` seconds: see `take(for:scheduler:)`.
    ///
    /// Completes on `scheduler`, unless the source has ended before.
    @_disfavoredOverload
    public func take(_ duration: Double, scheduler: any SchedulerType) -> Observable<Element> {
        take(for: .fractional(duration), scheduler: scheduler)
    }

    /// Collects the elements of each `timeSpan` seconds, or `count` elements: see `buffer(timeSpan:count:scheduler:)`.
    ///
    /// Completes and fails with the source. Lists are emitted on `scheduler`, or on the source's thread if they are
    /// full.
    @_disfavoredOverload
    public func buffer(timeSpan: Double, count: Int, scheduler: any SchedulerType) -> Observable<[Element]> {
        buffer(timeSpan: .fractional(timeSpan), count: count, scheduler: scheduler)
    }

    /// Emits a sequence for the elements of each `timeSpan` seconds, or of `count` elements.
    ///
    /// See `window(timeSpan:count:scheduler:)`.
    ///
    /// Completes and fails with the source. Sequences are emitted on `scheduler`, or on the source's thread.
    @_disfavoredOverload
    public func window(
        timeSpan: Double, count: Int, scheduler: any SchedulerType
    ) -> Observable<Observable<Element>> {
        window(timeSpan: .fractional(timeSpan), count: count, scheduler: scheduler)
    }
}

extension ObservableType where Element: RxAbstractInteger {
    /// Counts each `period` seconds: see `interval(_:scheduler:)`.
    ///
    /// Never ends. Elements are emitted on `scheduler`.
    @_disfavoredOverload
    public static func interval(_ period: Double, scheduler: any SchedulerType) -> Observable<Element> {
        .interval(.fractional(period), scheduler: scheduler)
    }

    /// Emits 0 after `dueTime` seconds, and then counts each `period` seconds: see `timer(_:period:scheduler:)`.
    ///
    /// Without a period it completes after 0, and otherwise it never ends. Elements are emitted on `scheduler`.
    @_disfavoredOverload
    public static func timer(
        _ dueTime: Double, period: Double? = nil, scheduler: any SchedulerType
    ) -> Observable<Element> {
        .timer(.fractional(dueTime), period: period.map { .fractional($0) }, scheduler: scheduler)
    }
}
