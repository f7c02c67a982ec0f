/// The trait of a ``Completable``.
public enum CompletableTrait {}

/// A sequence without elements, that completes or fails.
///
///     -----|
///     -----X
public typealias Completable = PrimitiveSequence<CompletableTrait, Swift.Never>

/// The outcome of a ``Completable``.
@frozen
public enum CompletableEvent: Sendable {
    /// The sequence failed.
    case error(any Swift.Error)
    /// The sequence completed.
    case completed

    init(_ outcome: Outcome<Never>) {
        switch outcome {
        case .error(let error): self = .error(error)
        case .completed: self = .completed
        }
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// A closure that takes the outcome of a completable made with `create(subscribe:)`.
    public typealias CompletableObserver = @Sendable (CompletableEvent) -> Void

    /// Creates a completable that runs `subscribe` for each subscription.
    ///
    ///     Completable.create { observer in
    ///         observer(.completed)        // |
    ///         return Disposables.create()
    ///     }
    ///
    /// The observer may be called from any thread, and delivers the outcome on that thread. Only its first call counts.
    /// The disposable that the closure returns is disposed when the outcome has been delivered or the subscription is
    /// disposed, even if that happens before the closure returns.
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

    /// Subscribes a closure to the outcome.
    ///
    /// The closure runs on the thread that delivers the outcome. An error that it ignores is reported nowhere else.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (CompletableEvent) -> Void) -> any Disposable {
        source.awaitOutcome { observer(CompletableEvent($0)) }
    }

    /// Subscribes closures to the outcome; they run on the thread that delivers it.
    ///
    /// - Parameters:
    ///   - onCompleted: runs when the sequence completes.
    ///   - onError: takes the error. Without it an error goes to ``Hooks/defaultErrorHandler``.
    ///   - onDisposed: runs exactly once, after the source was disposed: when it has ended or was disposed.
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
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

    /// Subscribes closures that take `object`, which is not retained, to the outcome.
    ///
    /// The closures no longer run once the object is deallocated; the subscription stays. They run on the thread that
    /// delivers the outcome.
    ///
    /// - Parameters:
    ///   - object: the first argument of each closure.
    ///   - onCompleted: runs when the sequence completes.
    ///   - onError: takes the error. Without it an error goes to ``Hooks/defaultErrorHandler``.
    ///   - onDisposed: runs at most once, after the source was disposed: when it has ended or was disposed.
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe<Object: AnyObject>(
        with object: Object,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onError: (@Sendable (Object, any Swift.Error) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        let target = WeakObject(object)
        return subscribe(
            onCompleted: target.passed(to: onCompleted), onError: target.passed(to: onError),
            onDisposed: target.passed(to: onDisposed))
    }
}
