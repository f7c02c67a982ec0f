/// The trait of a ``Single``.
public enum SingleTrait {}

/// A sequence that emits exactly one element or fails.
///
///     -----x|
///     -----X
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>

/// The outcome of a ``Single``: its element or its error.
public typealias SingleEvent<Element> = Result<Element, any Swift.Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// A closure that takes the outcome of a single made with `create(subscribe:)`.
    public typealias SingleObserver = @Sendable (SingleEvent<Element>) -> Void

    /// Creates a single that runs `subscribe` for each subscription.
    ///
    ///     Single.create { observer in
    ///         observer(.success(1))       // 1|
    ///         return Disposables.create()
    ///     }
    ///
    /// The observer may be called from any thread, and delivers the outcome on that thread. Only its first call counts.
    /// The disposable that the closure returns is disposed when the outcome has been delivered or the subscription is
    /// disposed, even if that happens before the closure returns.
    @preconcurrency
    public static func create(
        subscribe: @escaping @Sendable (@escaping SingleObserver) -> any Disposable
    ) -> Single<Element> {
        Single(
            raw: .outcome { observer in
                subscribe { event in
                    switch event {
                    case .success(let element): observer(.success(element))
                    case .failure(let error): observer(.error(error))
                    }
                }
            })
    }

    /// Subscribes a closure to the outcome.
    ///
    /// The closure runs on the thread that delivers the outcome. A failure that it ignores is reported nowhere else.
    ///
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (SingleEvent<Element>) -> Void) -> any Disposable {
        source.awaitOutcome { observer(SingleEvent($0)) }
    }

    /// Subscribes closures to the outcome; they run on the thread that delivers it.
    ///
    /// - Parameters:
    ///   - onSuccess: takes the element.
    ///   - onFailure: takes the error. Without it an error goes to ``Hooks/defaultErrorHandler``.
    ///   - onDisposed: runs exactly once, after the source was disposed: when it has ended or was disposed.
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil,
        onFailure: (@Sendable (any Swift.Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        let onFailure = onFailure ?? Hooks.reporter()
        return source.awaitOutcome(onDisposed: onDisposed) { outcome in
            switch SingleEvent(outcome) {
            case .success(let element): onSuccess?(element)
            case .failure(let error): onFailure(error)
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
    ///   - onFailure: takes the error. Without it an error goes to ``Hooks/defaultErrorHandler``.
    ///   - onDisposed: runs at most once, after the source was disposed: when it has ended or was disposed.
    /// - Returns: a disposable that cancels the subscription. Dropping it cancels nothing.
    @preconcurrency
    public func subscribe<Object: AnyObject>(
        with object: Object,
        onSuccess: (@Sendable (Object, Element) -> Void)? = nil,
        onFailure: (@Sendable (Object, any Swift.Error) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        let target = WeakObject(object)
        return subscribe(
            onSuccess: target.passed(to: onSuccess), onFailure: target.passed(to: onFailure),
            onDisposed: target.passed(to: onDisposed))
    }
}

extension Result where Failure == any Error {
    /// Converts an outcome to a single's event. A source that completes without an element violates the promise of a
    /// single; that is a failure too.
    init(_ outcome: Outcome<Success>) {
        switch outcome {
        case .success(let element): self = .success(element)
        case .error(let error): self = .failure(error)
        case .completed: self = .failure(RxError.noElements)
        }
    }
}
