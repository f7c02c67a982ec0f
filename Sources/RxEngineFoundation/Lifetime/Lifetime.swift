import RxEngine

/// The lifetime of an object, which stores this token so that others can observe its deallocation.
///
/// ```swift
/// final class Connection: LifetimeHost {
///     let lifetime = Lifetime()
///
///     deinit { lifetime.end() }      // only for `rx.deallocating`
/// }
/// ```
///
/// The object alone retains its token, so the token is released with it. A token that something else retains, too, ends
/// when the last of them releases it, which may be after the object.
public final class Lifetime: Sendable {
    private let ending = AsyncSubject<Void>()
    private let gone = AsyncSubject<Void>()

    /// Begins a lifetime, for the object that stores it.
    public init() {}

    deinit {
        end()
        gone.onNext(())
        gone.onCompleted()
    }

    /// Records that the object is being deallocated, and still has its properties: its `deinit` calls this.
    ///
    /// Further calls do nothing.
    public func end() {
        ending.onNext(())
        ending.onCompleted()
    }

    /// Emits when the object's `deinit` calls ``end()``, or otherwise right before ``deallocated``.
    ///
    ///     object          alive---|
    ///     deallocating    --------()|
    ///
    /// Completes after the one element, which a later subscriber receives inside `subscribe`. Never fails.
    /// The observer is called on the thread that releases the object last.
    public var deallocating: Observable<Void> { ending.asObservable() }

    /// Emits when the object is gone.
    ///
    ///     object         alive---|
    ///     deallocated    --------()|
    ///
    /// Completes after the one element, which a later subscriber receives inside `subscribe`. Never fails. Does not
    /// retain the object.
    /// The observer is called on the thread that releases the object last.
    public var deallocated: Observable<Void> { gone.asObservable() }

    /// Emits when the object is gone: the same as ``deallocated``.
    ///
    ///     source.take(until: connection.lifetime.ended)
    ///
    /// Completes after the one element, and never fails.
    /// The observer is called on the thread that releases the object last.
    public var ended: Observable<Void> { deallocated }
}

/// A class whose objects have a ``Lifetime``, and so `rx.deallocated`.
///
/// On Apple's platforms, a token can be attached to any object. Here, the class stores it.
public protocol LifetimeHost: AnyObject, ReactiveCompatible {
    /// The lifetime of the object: a stored property that is never replaced.
    var lifetime: Lifetime { get }
}

extension Reactive where Base: LifetimeHost {
    /// Emits when the object is gone, and completes.
    ///
    ///     source.take(until: self.rx.deallocated)
    ///
    /// Does not retain the object, and never fails.
    /// The observer is called on the thread that releases the object last.
    public var deallocated: Observable<Void> { base.lifetime.deallocated }

    /// Emits and completes when the object is about to be deallocated.
    ///
    /// That is when its `deinit` calls ``Lifetime/end()``, or otherwise right before ``deallocated``.
    ///
    /// Does not retain the object, and never fails.
    /// The observer is called on the thread that releases the object last.
    public var deallocating: Observable<Void> { base.lifetime.deallocating }
}
