import Observation
import RxEngine

extension Reactive where Base: AnyObject & Observation.Observable {
    /// Emits the value of a property of an `@Observable` object that the subscription does not retain.
    ///
    ///     model.name                a-------b---| deallocated
    ///     observeWeakly(\.name)     a-------b----
    ///
    /// Emits the first value inside `subscribe`, and the value after each change, as ``observe(_:options:retainSelf:)``
    /// does. Never completes and never fails; emits nothing after the object is gone.
    /// The observer is called on the thread that changes the property.
    public func observeWeakly<Value>(
        _ keyPath: KeyPath<Base, Value>, options: KeyValueObservingOptions = [.initial, .new]
    ) -> RxEngine.Observable<Value> {
        observe(keyPath, options: options, retainSelf: false)
    }

    /// Emits the value of a property, and then its value after each change, without retaining the object.
    ///
    /// This is ``observeWeakly(_:options:)`` with the type of the property before the path, as with KVO.
    /// Never completes and never fails. The observer is called on the thread that changes the property.
    public func observeWeakly<Value>(
        _ type: Value.Type, _ keyPath: KeyPath<Base, Value>, options: KeyValueObservingOptions = [.initial, .new]
    ) -> RxEngine.Observable<Value> {
        observeWeakly(keyPath, options: options)
    }

    /// Emits the value of a property of another object, to which a property of this object refers.
    ///
    /// The reference may be weak or strong. Retains neither object.
    ///
    ///     model.child                      x---------------y-------nil
    ///     x.name, y.name                   a-----b         c
    ///     observeWeakly(\.child, \.name)   a-----b---nil---c-------nil
    ///                                                | x deallocated
    ///
    /// Emits `nil` while there is no other object, also when it is deallocated; if several threads replace it at the same
    /// time, there may be a `nil` in between. Never completes and never fails; emits nothing after this object is gone.
    /// The observer is called on the thread that changes a property, or that releases the other object last.
    ///
    /// A longer path than that of the overload with two other objects is one in parts:
    ///
    ///     model.rx.observeWeakly(\.child, \.next).flatMapLatest { next in
    ///         next??.rx.observeWeakly(\.next, \.name) ?? .just(nil)
    ///     }
    ///
    /// - Parameters:
    ///   - hop: the property that refers to the other object.
    ///   - keyPath: the path from the other object to the property.
    ///   - options: which values are emitted.
    public func observeWeakly<Hop: Observation.Observable & LifetimeHost & SendableMetatype, Value>(
        _ hop: KeyPath<Base, Hop?>, _ keyPath: KeyPath<Hop, Value>,
        options: KeyValueObservingOptions = [.initial, .new]
    ) -> RxEngine.Observable<Value?> {
        let depth = keyPath.propertyCount
        return following(hop, options) { $0.observe(keyPath, retainSelf: false, depth: depth).map { $0 } }
    }

    /// Emits the value of a property at the end of a path of two other objects. Retains none of them.
    ///
    /// Emits `nil` while one of the other objects is missing, also when it is deallocated. Never completes and never
    /// fails; emits nothing after this object is gone.
    /// The observer is called on the thread that changes a property, or that releases an object last.
    ///
    /// - Parameters:
    ///   - first: the property of this object that refers to the first other object.
    ///   - second: the property of that object that refers to the second one.
    ///   - keyPath: the path from the second other object to the property.
    ///   - options: which values are emitted.
    public func observeWeakly<
        First: Observation.Observable & LifetimeHost & SendableMetatype,
        Second: Observation.Observable & LifetimeHost & SendableMetatype, Value
    >(
        _ first: KeyPath<Base, First?>, _ second: KeyPath<First, Second?>, _ keyPath: KeyPath<Second, Value>,
        options: KeyValueObservingOptions = [.initial, .new]
    ) -> RxEngine.Observable<Value?> {
        following(first, options) { $0.observeWeakly(second, keyPath) }
    }

    /// Emits what `observe` makes of the object that a property refers to, and `nil` while there is none.
    private func following<Hop: Observation.Observable & LifetimeHost & SendableMetatype, Value>(
        _ hop: KeyPath<Base, Hop?>, _ options: KeyValueObservingOptions,
        _ observe: @escaping (Reactive<Hop>) -> RxEngine.Observable<Value?>
    ) -> RxEngine.Observable<Value?> {
        // Safe although marked unsafe: called on the thread that reads the property.
        nonisolated(unsafe) let follow = { (object: Hop?) -> RxEngine.Observable<Value?> in
            guard let object else { return .just(nil) }
            return .merge(observe(object.rx), object.lifetime.deallocated.map { nil })
        }
        // Safe although marked unsafe: only whether the object is there is read.
        nonisolated(unsafe) let isPresent = { [weak base] in base != nil }
        // An object that is replaced is deallocated inside the assignment, where the property must not be read.
        let all = self.observe(hop, retainSelf: false, depth: hop.propertyCount, holdsOld: true).flatMapLatest {
            follow($0)
        }
        .filter { _ in isPresent() }
        // The first value is emitted inside `subscribe`.
        if !options.contains(.new) { return options.contains(.initial) ? all.take(1).concat(.never()) : .never() }
        return options.contains(.initial) ? all : all.skip(1)
    }
}
