/// The trait of a ``Maybe``.
public enum MaybeTrait {}

/// A sequence of one element or none, or an error.
///
///     -----x|
///     -----|
///     -----X
public typealias Maybe<Element> = PrimitiveSequence<MaybeTrait, Element>

/// What a ``Maybe`` tells.
@frozen
public enum MaybeEvent<Element> {
    /// It has an element; nothing follows.
    case success(Element)
    /// It failed.
    case error(any Swift.Error)
    /// It ended without an element.
    case completed
}

extension MaybeEvent: Sendable where Element: Sendable {}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// What `create` gives its closure to tell the outcome with.
    public typealias MaybeObserver = @Sendable (MaybeEvent<Element>) -> Void

    /// A maybe whose every run is what `subscribe` does with its observer, which may be called from any thread. Only
    /// its first call counts.
    ///
    ///     Maybe.create { observer in
    ///         observer(.success(1))       // 1|
    ///         return Disposables.create()
    ///     }
    ///
    /// What the closure returns is disposed when the outcome has been told or the run is disposed, even where that was
    /// before the closure returned.
    @preconcurrency
    public static func create(
        subscribe: @escaping @Sendable (@escaping MaybeObserver) -> any Disposable
    ) -> Maybe<Element> {
        Maybe(raw: .outcome(of: subscribe))
    }

    /// Subscribes a closure to the outcome. An error that it ignores goes nowhere else.
    @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (MaybeEvent<Element>) -> Void) -> any Disposable {
        source.awaitOutcome(observer)
    }

    /// Subscribes closures to the outcome, of which one at most runs.
    ///
    /// - Parameters:
    ///   - onSuccess: takes the element.
    ///   - onError: takes the error. Without it an error goes to ``Hooks/defaultErrorHandler``.
    ///   - onCompleted: runs when there is no element.
    ///   - onDisposed: runs exactly once, after the source has been freed: when it has ended or was disposed.
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

    /// Subscribes closures that get `object`, which is not kept alive: once it is gone they are not run any more. The
    /// subscription goes on.
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
            onSuccess: target.handing(to: onSuccess), onError: target.handing(to: onError),
            onCompleted: target.handing(to: onCompleted), onDisposed: target.handing(to: onDisposed))
    }
}
