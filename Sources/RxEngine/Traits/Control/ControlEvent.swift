/// What can be read as a ``ControlEvent``.
public protocol ControlEventType<Element>: ObservableType {
    /// The event that this value stands for.
    func asControlEvent() -> ControlEvent<Element>
}

/// Something that happens to an object of the user interface.
///
/// It cannot fail, tells nothing on subscribing, ends with the object and is delivered on the main thread: that is what
/// whoever makes one promises. It is subscribed to on the main thread.
public struct ControlEvent<Element>: ControlEventType, Sendable {
    private let events: Observable<Element>

    /// The event whose occurrences are `events`.
    public init<Events: ObservableType>(events: Events) where Events.Element == Element {
        self.events = events.subscribe(on: ConcurrentMainScheduler.instance)
    }

    /// Subscribes `observer`, on the main thread.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        events.subscribe(observer)
    }

    /// The occurrences.
    public func asObservable() -> Observable<Element> {
        events
    }

    /// The event itself.
    public func asControlEvent() -> ControlEvent<Element> {
        self
    }

    /// The occurrences as a sequence that cannot fail.
    public func asInfallible() -> Infallible<Element> {
        events.asInfallible { error in
            bindingError(error)
            return .empty()
        }
    }

    /// The occurrences as a driver.
    public func asDriver() -> Driver<Element> {
        events.asDriver { error in
            bindingError(error)
            return .empty()
        }
    }

    /// The occurrences as a signal.
    public func asSignal() -> Signal<Element> {
        events.asSignal { error in
            bindingError(error)
            return .empty()
        }
    }
}
