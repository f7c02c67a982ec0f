/// A type that converts to a ``ControlEvent``.
public protocol ControlEventType<Element>: ObservableType {
    /// Converts this value to a control event.
    func asControlEvent() -> ControlEvent<Element>
}

/// An event of a user interface object, such as a tap.
///
/// Its creator promises that the sequence does not fail, emits nothing on subscription, completes when the object is
/// deallocated and delivers on the main thread. The sequence is subscribed to on the main thread.
public struct ControlEvent<Element>: ControlEventType, Sendable {
    private let events: Observable<Element>

    /// Creates a control event that emits the elements of `events`.
    ///
    /// Any thread may call it; the main thread subscribes to `events`.
    public init(events: some ObservableType<Element>) {
        self.events = events.subscribe(on: ConcurrentMainScheduler.instance)
    }

    /// Subscribes `observer` on the main thread, which also calls it.
    ///
    /// It receives the completion when the object is deallocated, and an error of the sequence.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func subscribe(_ observer: some ObserverType<Element>) -> any Disposable {
        events.subscribe(observer)
    }

    /// Converts the event to an observable of its occurrences.
    ///
    /// It completes and fails with the event, and calls its observers on the main thread.
    public func asObservable() -> Observable<Element> {
        events
    }

    /// Returns the event itself.
    public func asControlEvent() -> ControlEvent<Element> {
        self
    }

    /// Converts the event to a sequence that cannot fail.
    ///
    /// An error stops a debug build; a release build prints it and completes.
    /// It calls its observers on the main thread.
    public func asInfallible() -> Infallible<Element> {
        events.asInfallible { error in
            bindingError(error)
            return .empty()
        }
    }

    /// Converts the event to a driver.
    ///
    /// An error stops a debug build; a release build prints it and completes.
    /// It completes with the event, and delivers on the main thread.
    public func asDriver() -> Driver<Element> {
        events.asDriver { error in
            bindingError(error)
            return .empty()
        }
    }

    /// Converts the event to a signal.
    ///
    /// An error stops a debug build; a release build prints it and completes.
    /// It completes with the event, and delivers on the main thread.
    public func asSignal() -> Signal<Element> {
        events.asSignal { error in
            bindingError(error)
            return .empty()
        }
    }
}
