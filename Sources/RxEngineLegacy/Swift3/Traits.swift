import RxEngine

extension ObservableType {
    /// Makes an observable of the element, if there is one: the former name of `from(optional:)`.
    ///
    /// Emits inside `subscribe`, and completes.
    @_disfavoredOverload
    public static func from(_ optional: Element?) -> Observable<Element> {
        .from(optional: optional)
    }

    /// Makes an observable of the element, if there is one: the former name of `from(optional:scheduler:)`.
    ///
    /// Completes after it. Emits on `scheduler`.
    @_disfavoredOverload
    public static func from(_ optional: Element?, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        .from(optional: optional, scheduler: scheduler)
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Calls `onNext` for the element: the former name of the parameter `onSuccess`.
    ///
    /// Has the same outcome, or fails with the error that `onNext` throws. `onNext` is called on the source's thread.
    @_disfavoredOverload @preconcurrency
    public func `do`(onNext: @escaping @Sendable (Element) throws -> Void) -> Single<Element> {
        primitiveSequence.do(onSuccess: onNext)
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Runs all sequences side by side: the former name of `zip(_:)`.
    ///
    /// Its outcome is the first error, or completion when all have completed. Delivered on the thread of the last one.
    public static func merge(_ sources: Completable...) -> Completable {
        Completable.zip(sources)
    }

    /// Runs all sequences side by side: the former name of `zip(_:)`.
    ///
    /// Its outcome is the first error, or completion when all have completed. Delivered on the thread of the last one.
    public static func merge(_ sources: some Collection<Completable>) -> Completable {
        Completable.zip(Array(sources))
    }
}
