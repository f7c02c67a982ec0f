/// What can be read as a ``ControlProperty``.
public protocol ControlPropertyType<Element>: ObservableType, ObserverType {
    /// The property that this value stands for.
    func asControlProperty() -> ControlProperty<Element>
}

/// A property of an object of the user interface: a sequence of the values that its user gives it, and an observer that
/// sets it.
///
///     the user types          ----a--b------->
///     the program sets        ---------x----->
///     values                  i---a--b------->
///
/// The sequence starts with the value that the property has, does not tell those that are bound to it, cannot fail,
/// ends with the object and is delivered on the main thread: that is what whoever makes one promises. It is subscribed
/// to on the main thread.
public struct ControlProperty<Element>: ControlPropertyType, Sendable {
    private let values: Observable<Element>
    private let valueSink: AnyObserver<Element>

    /// The property whose values are `values` and which `valueSink` sets.
    public init<Values: ObservableType, Observer: ObserverType>(values: Values, valueSink: Observer)
    where Values.Element == Element, Observer.Element == Element {
        self.values = values.subscribe(on: ConcurrentMainScheduler.instance)
        self.valueSink = AnyObserver(valueSink)
    }

    /// Subscribes `observer`, on the main thread.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        values.subscribe(observer)
    }

    /// Sets the property. An error stops a debug build and is printed by a release build.
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let value): valueSink.onNext(value)
        case .error(let error): bindingError(error)
        case .completed: valueSink.onCompleted()
        }
    }

    /// The values.
    public func asObservable() -> Observable<Element> {
        values
    }

    /// The property itself.
    public func asControlProperty() -> ControlProperty<Element> {
        self
    }

    /// The changes that the user makes, without the value that the property starts with.
    public var changed: ControlEvent<Element> {
        ControlEvent(events: values.skip(1))
    }

    /// The values as a driver.
    public func asDriver() -> Driver<Element> {
        values.asDriver { error in
            bindingError(error)
            return .empty()
        }
    }
}

extension ControlPropertyType where Element == String? {
    /// The property with an empty string in the place of `nil`.
    public var orEmpty: ControlProperty<String> {
        let property = asControlProperty()
        return ControlProperty(
            values: property.asObservable().map { $0 ?? "" }, valueSink: property.mapObserver { $0 }
        )
    }
}
