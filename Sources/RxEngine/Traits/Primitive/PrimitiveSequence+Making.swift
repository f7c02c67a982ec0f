/// How sequences of any trait are made.
extension PrimitiveSequenceType {
    /// A sequence that fails inside `subscribe`.
    ///
    ///     error(e)    X
    @inlinable
    public static func error(_ error: any Swift.Error) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .error(error))
    }

    /// A sequence that tells nothing, ever.
    ///
    ///     never       -------->
    @inlinable
    public static func never() -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .never())
    }

    /// A sequence that `factory` makes anew for each subscription. An error that it throws is the sequence's.
    @preconcurrency
    @inlinable
    public static func deferred(
        _ factory: @escaping @Sendable () throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .deferred { try factory().source })
    }

    /// A sequence with a resource of its own for each subscription, which is disposed after it. An error that either
    /// closure throws is the sequence's; what the first has made by then is disposed.
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
    /// A sequence of 0, after `dueTime`.
    ///
    ///     timer(3)    ---0|
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .timer(dueTime, scheduler: scheduler))
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// A single of this element, told inside `subscribe`.
    ///
    ///     just(x)     x|
    @inlinable
    public static func just(_ element: Element) -> Single<Element> {
        Single(raw: .just(element))
    }

    /// A single of this element, told on one turn of `scheduler`; the source is freed on the next.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Single<Element> {
        Single(raw: .just(element, scheduler: scheduler))
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// A maybe of this element, told inside `subscribe`.
    ///
    ///     just(x)     x|
    @inlinable
    public static func just(_ element: Element) -> Maybe<Element> {
        Maybe(raw: .just(element))
    }

    /// A maybe of this element, told on one turn of `scheduler`; the source is freed on the next.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Maybe<Element> {
        Maybe(raw: .just(element, scheduler: scheduler))
    }

    /// A maybe without an element, which ends inside `subscribe`.
    ///
    ///     empty       |
    @inlinable
    public static func empty() -> Maybe<Element> {
        Maybe(raw: .empty())
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// A completable that is done inside `subscribe`.
    ///
    ///     empty       |
    @inlinable
    public static func empty() -> Completable {
        Completable(raw: .empty())
    }
}
