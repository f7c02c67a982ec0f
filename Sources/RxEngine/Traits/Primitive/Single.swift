/// The trait of a ``Single``.
public enum SingleTrait {}

/// A sequence of exactly one element, or an error.
///
///     -----x|
///     -----X
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>

/// What a ``Single`` tells: its element, or its error.
public typealias SingleEvent<Element> = Result<Element, any Swift.Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// What `create` gives its closure to tell the outcome with.
    public typealias SingleObserver = @Sendable (SingleEvent<Element>) -> Void

    /// A single whose every run is what `subscribe` does with its observer, which may be called from any thread. Only
    /// its first call counts.
    ///
    ///     Single.create { observer in
    ///         observer(.success(1))       // 1|
    ///         return Disposables.create()
    ///     }
    ///
    /// What the closure returns is disposed when the outcome has been told or the run is disposed, even where that was
    /// before the closure returned.
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

    /// Subscribes a closure to the outcome. A failure that it ignores goes nowhere else.
    @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (SingleEvent<Element>) -> Void) -> any Disposable {
        source.awaitOutcome { observer(SingleEvent($0)) }
    }

    /// Subscribes closures to the outcome.
    ///
    /// - Parameters:
    ///   - onSuccess: takes the element.
    ///   - onFailure: takes the error. Without it an error goes to ``Hooks/defaultErrorHandler``.
    ///   - onDisposed: runs exactly once, after the source has been freed: when it has ended or was disposed.
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

    /// Subscribes closures that get `object`, which is not kept alive: once it is gone they are not run any more. The
    /// subscription goes on.
    @preconcurrency
    public func subscribe<Object: AnyObject>(
        with object: Object,
        onSuccess: (@Sendable (Object, Element) -> Void)? = nil,
        onFailure: (@Sendable (Object, any Swift.Error) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        let target = WeakObject(object)
        return subscribe(
            onSuccess: target.handing(to: onSuccess), onFailure: target.handing(to: onFailure),
            onDisposed: target.handing(to: onDisposed))
    }
}

extension Result where Failure == any Error {
    /// A single's event. A source that ends without its element breaks its word; that is a failure too.
    init(_ outcome: Outcome<Success>) {
        switch outcome {
        case .success(let element): self = .success(element)
        case .error(let error): self = .failure(error)
        case .completed: self = .failure(RxError.noElements)
        }
    }
}
