import RxEngine

// The free functions that were replaced by static methods of `Observable`.

/// Makes an observable from a closure: the former name of ``RxEngine/ObservableType/create(_:)``.
public func create<Element>(
    _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
) -> Observable<Element> {
    .create(subscribe)
}

/// Makes an observable of one element: the former name of ``RxEngine/ObservableType/just(_:)``.
public func just<Element>(_ element: Element) -> Observable<Element> { .just(element) }

/// Makes an observable without elements: the former name of ``RxEngine/ObservableType/empty()``.
public func empty<Element>() -> Observable<Element> { .empty() }

/// Makes an observable that never emits: the former name of ``RxEngine/ObservableType/never()``.
public func never<Element>() -> Observable<Element> { .never() }

/// Makes an observable that fails: the former name of ``RxEngine/ObservableType/error(_:)``.
public func failWith<Element>(_ error: any Error) -> Observable<Element> { .error(error) }

/// Makes an observable for each subscription: the former name of ``RxEngine/ObservableType/deferred(_:)``.
public func deferred<Element>(
    _ observableFactory: @escaping @Sendable () throws -> Observable<Element>
) -> Observable<Element> {
    .deferred(observableFactory)
}

/// Makes an observable of the arguments: the former name of ``RxEngine/ObservableType/of(_:scheduler:)``.
public func sequenceOf<Element>(
    _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
) -> Observable<Element> {
    .from(elements, scheduler: scheduler)
}

/// The former name of ``RxEngine/ObservableType/generate(initialState:condition:scheduler:iterate:)``.
///
/// It makes an observable of computed elements.
public func generate<Element>(
    initialState: Element, condition: @escaping @Sendable (Element) throws -> Bool,
    scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance,
    iterate: @escaping @Sendable (Element) throws -> Element
) -> Observable<Element> {
    .generate(initialState: initialState, condition: condition, scheduler: scheduler, iterate: iterate)
}

/// The former name of ``RxEngine/ObservableType/range(start:count:scheduler:)``.
///
/// It makes an observable of successive integers.
public func range<Element: RxAbstractInteger & Sendable>(
    start: Element, count: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
) -> Observable<Element> {
    .range(start: start, count: count, scheduler: scheduler)
}

/// The former name of ``RxEngine/ObservableType/repeatElement(_:scheduler:)``.
///
/// It makes an observable that repeats an element.
public func repeatElement<Element>(
    _ element: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
) -> Observable<Element> {
    .repeatElement(element, scheduler: scheduler)
}

/// The former name of ``RxEngine/ObservableType/interval(_:scheduler:)``.
///
/// It makes an observable that counts each `period` seconds.
public func interval(_ period: Double, _ scheduler: any SchedulerType) -> Observable<Int64> {
    .interval(.fractional(period), scheduler: scheduler)
}

/// The former name of ``RxEngine/ObservableType/timer(_:period:scheduler:)``.
///
/// It makes an observable that counts each `period` seconds, after `dueTime` seconds.
public func timer(_ dueTime: Double, _ period: Double, _ scheduler: any SchedulerType) -> Observable<Int64> {
    .timer(.fractional(dueTime), period: .fractional(period), scheduler: scheduler)
}

/// The former name of ``RxEngine/ObservableType/timer(_:period:scheduler:)`` without a period.
///
/// It makes an observable that emits 0 after `dueTime` seconds.
public func timer(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Int64> {
    .timer(.fractional(dueTime), scheduler: scheduler)
}
