/// A type that converts to a ``ControlProperty``.
public protocol ControlPropertyType<Element>: ObservableType, ObserverType {
    /// Converts this value to a control property.
    func asControlProperty() -> ControlProperty<Element>
}

/// A property of a user interface object: a sequence of the values that the user enters, and an observer that sets it.
///
///     the user types          ----a--b------->
///     the program sets        ---------x----->
///     values                  i---a--b------->
///
/// Its creator promises that the sequence starts with the current value, does not emit values that the program sets,
/// does not fail, completes when the object is deallocated and delivers on the main thread. The sequence is subscribed
/// to on the main thread.
public struct ControlProperty<Element>: ControlPropertyType, Sendable {
    private let values: Observable<Element>
    private let valueSink: AnyObserver<Element>

    /// Creates a control property that emits the elements of `values` and sets values with `valueSink`.
    ///
    /// Any thread may call it; the main thread subscribes to `values`.
    public init(values: some ObservableType<Element>, valueSink: some ObserverType<Element>) {
        self.values = values.subscribe(on: ConcurrentMainScheduler.instance)
        self.valueSink = AnyObserver(valueSink)
    }

    /// Subscribes `observer` on the main thread, which also calls it.
    ///
    /// It receives the completion when the object is deallocated, and an error of the sequence.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    public func subscribe(_ observer: some ObserverType<Element>) -> any Disposable {
        values.subscribe(observer)
    }

    /// Sets the property to the element of `event`.
    ///
    /// An error stops a debug build and is printed by a release build.
    /// Completion goes to the value sink. The calling thread sets the property.
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let value): valueSink.onNext(value)
        case .error(let error): bindingError(error)
        case .completed: valueSink.onCompleted()
        }
    }

    /// Converts the property to an observable of its values.
    ///
    /// It completes and fails with the property, and calls its observers on the main thread.
    public func asObservable() -> Observable<Element> {
        values
    }

    /// Returns the property itself.
    public func asControlProperty() -> ControlProperty<Element> {
        self
    }

    /// The values that the user enters, without the initial value.
    ///
    /// It ends with the property, and calls its observers on the main thread.
    public var changed: ControlEvent<Element> {
        ControlEvent(events: values.skip(1))
    }

    /// Converts the property to a driver.
    ///
    /// An error stops a debug build; a release build prints it and completes.
    /// It completes with the property, and delivers on the main thread.
    public func asDriver() -> Driver<Element> {
        values.asDriver { error in
            bindingError(error)
            return .empty()
        }
    }
}

extension ControlPropertyType where Element == String? {
    /// A property that has an empty string in place of `nil`.
    ///
    /// It completes and fails with this property. Values are converted on the thread that emits or sets them.
    public var orEmpty: ControlProperty<String> {
        let property = asControlProperty()
        return ControlProperty(
            values: property.asObservable().map { $0 ?? "" }, valueSink: property.mapObserver { $0 }
        )
    }
}
