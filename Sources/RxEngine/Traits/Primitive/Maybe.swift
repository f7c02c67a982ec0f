/// The trait of a ``Maybe``.
public enum MaybeTrait {}

/// A sequence that emits one element, completes without one, or fails.
///
///     -----x|
///     -----|
///     -----X
public typealias Maybe<Element> = PrimitiveSequence<MaybeTrait, Element>

/// The outcome of a ``Maybe``.
@frozen
public enum MaybeEvent<Element> {
    /// The sequence emitted its element and completed.
    case success(Element)
    /// The sequence failed.
    case error(any Swift.Error)
    /// The sequence completed without an element.
    case completed
}

extension MaybeEvent: Sendable where Element: Sendable {}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// A closure that takes the outcome of a maybe made with `create(subscribe:)`.
    public typealias MaybeObserver = @Sendable (MaybeEvent<Element>) -> Void

    /// Creates a maybe that runs `subscribe` for each subscription.
    ///
    ///     Maybe.create { observer in
    ///         observer(.success(1))       // 1|
    ///         return Disposables.create()
    ///     }
    ///
    /// The observer may be called from any thread, and delivers the outcome on that thread. Only its first call counts.
    /// The disposable that the closure returns is disposed when the outcome has been delivered or the subscription is
    /// disposed, even if that happens before the closure returns.
    @preconcurrency
    public static func create(
        subscribe: @escaping @Sendable (@escaping MaybeObserver) -> any Disposable
    ) -> Maybe<Element> {
        Maybe(raw: .outcome(of: subscribe))
    }

    /// Subscribes a closure to the outcome.
    ///
    /// The closure runs on the thread that delivers the outcome. An error that it ignores is reported nowhere else.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (MaybeEvent<Element>) -> Void) -> any Disposable {
        source.awaitOutcome(observer)
    }

    /// Subscribes closures to the outcome, of which at most one runs, on the thread that delivers it.
    ///
    /// - Parameters:
    ///   - onSuccess: takes the element.
    ///   - onError: takes the error. Without it an error goes to ``Hooks/defaultErrorHandler``.
    ///   - onCompleted: runs when the sequence completes without an element.
    ///   - onDisposed: runs exactly once, after the source was disposed: when it has ended or was disposed.
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Swift.Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        let onError = onError ?? Hooks.reporter()
        return source.awaitOutcome(onDisposed: onDisposed) { outcome in
            switch outcome {
            case .success(let element): onSuccess?(element)
            case .error(let error): onError(error)
            case .completed: onCompleted?()
            }
        }
    }

    /// Subscribes closures that take `object`, which is not retained, to the outcome.
    ///
    /// The closures no longer run once the object is deallocated; the subscription stays. They run on the thread that
    /// delivers the outcome.
    ///
    /// - Parameters:
    ///   - object: the first argument of each closure.
    ///   - onSuccess: takes the element.
    ///   - onError: takes the error. Without it an error goes to ``Hooks/defaultErrorHandler``.
    ///   - onCompleted: runs when the sequence completes without an element.
    ///   - onDisposed: runs at most once, after the source was disposed: when it has ended or was disposed.
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe<Object: AnyObject>(
        with object: Object,
        onSuccess: (@Sendable (Object, Element) -> Void)? = nil,
        onError: (@Sendable (Object, any Swift.Error) -> Void)? = nil,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        let target = WeakObject(object)
        return subscribe(
            onSuccess: target.passed(to: onSuccess), onError: target.passed(to: onError),
            onCompleted: target.passed(to: onCompleted), onDisposed: target.passed(to: onDisposed))
    }
}
