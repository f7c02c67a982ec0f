/// The trait of a ``Completable``.
public enum CompletableTrait {}

/// A sequence without elements, that completes or fails.
///
///     -----|
///     -----X
public typealias Completable = PrimitiveSequence<CompletableTrait, Swift.Never>

/// What a ``Completable`` tells.
@frozen
public enum CompletableEvent: Sendable {
    /// It failed.
    case error(any Swift.Error)
    /// It is done.
    case completed

    init(_ outcome: Outcome<Never>) {
        switch outcome {
        case .error(let error): self = .error(error)
        case .completed: self = .completed
        }
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// What `create` gives its closure to tell the outcome with.
    public typealias CompletableObserver = @Sendable (CompletableEvent) -> Void

    /// A completable whose every run is what `subscribe` does with its observer, which may be called from any thread.
    /// Only its first call counts.
    ///
    ///     Completable.create { observer in
    ///         observer(.completed)        // |
    ///         return Disposables.create()
    ///     }
    ///
    /// What the closure returns is disposed when the outcome has been told or the run is disposed, even where that was
    /// before the closure returned.
    @preconcurrency
    public static func create(
        subscribe: @escaping @Sendable (@escaping CompletableObserver) -> any Disposable
    ) -> Completable {
        Completable(
            raw: .outcome { observer in
                subscribe { event in
                    switch event {
                    case .error(let error): observer(.error(error))
                    case .completed: observer(.completed)
                    }
                }
            })
    }

    /// Subscribes a closure to the outcome. An error that it ignores goes nowhere else.
    @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (CompletableEvent) -> Void) -> any Disposable {
        source.awaitOutcome { observer(CompletableEvent($0)) }
    }

    /// Subscribes closures to the outcome.
    ///
    /// - Parameters:
    ///   - onCompleted: runs when it is done.
    ///   - onError: takes the error. Without it an error goes to ``Hooks/defaultErrorHandler``.
    ///   - onDisposed: runs exactly once, after the source has been freed: when it has ended or was disposed.
    @preconcurrency
    public func subscribe(
        onCompleted: (@Sendable () -> Void)? = nil,
        onError: (@Sendable (any Swift.Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        let onError = onError ?? Hooks.reporter()
        return source.awaitOutcome(onDisposed: onDisposed) { outcome in
            switch CompletableEvent(outcome) {
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
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onError: (@Sendable (Object, any Swift.Error) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        let target = WeakObject(object)
        return subscribe(
            onCompleted: target.handing(to: onCompleted), onError: target.handing(to: onError),
            onDisposed: target.handing(to: onDisposed))
    }
}
