/// The factories of sequences of any trait.
extension PrimitiveSequenceType {
    /// Creates a sequence that fails with `error` inside `subscribe`.
    ///
    ///     error(e)    X
    @inlinable
    public static func error(_ error: any Swift.Error) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .error(error))
    }

    /// Creates a sequence that emits nothing and never ends.
    ///
    ///     never       -------->
    @inlinable
    public static func never() -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .never())
    }

    /// Creates a sequence that subscribes to a new result of `factory` for each subscription.
    ///
    /// An error that `factory` throws fails the sequence.
    /// `factory` runs on the subscribing thread. Otherwise the outcome is that of its result, on the threads of that.
    @preconcurrency
    @inlinable
    public static func deferred(
        _ factory: @escaping @Sendable () throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .deferred { try factory().source })
    }

    /// Creates a sequence that owns a resource for each subscription and disposes it when that ends.
    ///
    /// An error that one of the closures throws fails the sequence; a resource that exists by then is disposed.
    /// The closures run on the subscribing thread. Otherwise the outcome is that of the sequence that uses the
    /// resource.
    ///
    /// - Parameters:
    ///   - resourceFactory: creates the resource.
    ///   - primitiveSequenceFactory: creates the sequence that uses the resource.
    @preconcurrency
    @inlinable
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        primitiveSequenceFactory: @escaping @Sendable (Resource) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .using(resourceFactory, observableFactory: { try primitiveSequenceFactory($0).source }))
    }
}

extension PrimitiveSequenceType where Element: RxAbstractInteger {
    /// Creates a sequence that emits 0 on `scheduler`, `dueTime` after the subscription.
    ///
    ///     timer(3)    ---0|
    ///
    /// The completion follows in the same action. Never fails.
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .timer(dueTime, scheduler: scheduler))
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Creates a single that emits `element` inside `subscribe`, and never fails.
    ///
    ///     just(x)     x|
    @inlinable
    public static func just(_ element: Element) -> Single<Element> {
        Single(raw: .just(element))
    }

    /// Creates a single that emits `element` on `scheduler`, as one scheduled action.
    ///
    /// A second action disposes the source.
    /// Never fails.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Single<Element> {
        Single(raw: .just(element, scheduler: scheduler))
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Creates a maybe that emits `element` inside `subscribe`, and never fails.
    ///
    ///     just(x)     x|
    @inlinable
    public static func just(_ element: Element) -> Maybe<Element> {
        Maybe(raw: .just(element))
    }

    /// Creates a maybe that emits `element` on `scheduler`, as one scheduled action.
    ///
    /// A second action disposes the source.
    /// Never fails.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Maybe<Element> {
        Maybe(raw: .just(element, scheduler: scheduler))
    }

    /// Creates a maybe that completes without an element inside `subscribe`.
    ///
    ///     empty       |
    @inlinable
    public static func empty() -> Maybe<Element> {
        Maybe(raw: .empty())
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Creates a completable that completes inside `subscribe`.
    ///
    ///     empty       |
    @inlinable
    public static func empty() -> Completable {
        Completable(raw: .empty())
    }
}
