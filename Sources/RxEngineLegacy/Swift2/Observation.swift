import Observation
import RxEngine
import RxEngineFoundation

/// The former name of ``RxEngineFoundation/KeyValueObservingOptions``, as in Foundation.
public typealias NSKeyValueObservingOptions = KeyValueObservingOptions

extension Observation.Observable where Self: AnyObject {
    /// Emits the value of a property: the former name of `rx.observe`, with the type of the property before the path.
    ///
    /// Never completes and never fails. The observer is called on the thread that changes the property.
    public func rx_observe<Value>(
        _ type: Value.Type, _ keyPath: KeyPath<Self, Value>, options: KeyValueObservingOptions = [.initial, .new],
        retainSelf: Bool = true
    ) -> RxEngine.Observable<Value> {
        rx_observe(keyPath, options: options, retainSelf: retainSelf)
    }

    /// Emits the value of a property of an object that is not retained: the former name of `rx.observeWeakly`.
    ///
    /// The type of the property is before the path.
    /// Never completes and never fails. The observer is called on the thread that changes the property.
    public func rx_observeWeakly<Value>(
        _ type: Value.Type, _ keyPath: KeyPath<Self, Value>, options: KeyValueObservingOptions = [.initial, .new]
    ) -> RxEngine.Observable<Value> {
        rx_observeWeakly(keyPath, options: options)
    }

    /// Emits the value of a property: the former name of `rx.observe`.
    ///
    /// Never completes and never fails. The observer is called on the thread that changes the property.
    public func rx_observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: KeyValueObservingOptions = [.initial, .new], retainSelf: Bool = true
    ) -> RxEngine.Observable<Value> {
        Reactive(self).observe(keyPath, options: options, retainSelf: retainSelf)
    }

    /// Emits the value of a property of an object that is not retained: the former name of `rx.observeWeakly`.
    ///
    /// Never completes and never fails. The observer is called on the thread that changes the property.
    public func rx_observeWeakly<Value>(
        _ keyPath: KeyPath<Self, Value>, options: KeyValueObservingOptions = [.initial, .new]
    ) -> RxEngine.Observable<Value> {
        Reactive(self).observeWeakly(keyPath, options: options)
    }
}
