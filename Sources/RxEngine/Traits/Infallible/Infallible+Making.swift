extension InfallibleType {
    /// A closure that takes the events of a sequence made with `create(subscribe:)`.
    public typealias InfallibleObserver = @Sendable (InfallibleEvent<Element>) -> Void

    /// Creates a sequence that runs `subscribe` for each subscription.
    ///
    ///     create { observer in
    ///         observer(.next(1))          // --1--|
    ///         observer(.completed)
    ///         return Disposables.create()
    ///     }
    ///
    /// The observer may be called from any thread, but never from two at once; it delivers each event on the thread
    /// that calls it. Events after the end are ignored. The disposable that the closure returns is disposed when the
    /// sequence has ended or the subscription is disposed, even if that happens before the closure returns.
    @preconcurrency
    @inlinable
    public static func create(
        subscribe: @escaping @Sendable (@escaping InfallibleObserver) -> any Disposable
    ) -> Infallible<Element> {
        Infallible(.create { observer in subscribe { observer.on($0.event) } })
    }

    /// Creates a sequence that emits `element` inside `subscribe` and completes.
    ///
    ///     just(x)     x|
    @inlinable
    public static func just(_ element: Element) -> Infallible<Element> {
        Infallible(.just(element))
    }

    /// Creates a sequence that emits `element` on `scheduler` and completes.
    ///
    /// The element and the completion are two scheduled actions.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(.just(element, scheduler: scheduler))
    }

    /// Creates a sequence that emits nothing and never ends.
    ///
    ///     never       -------->
    @inlinable
    public static func never() -> Infallible<Element> {
        Infallible(.never())
    }

    /// Creates a sequence that completes inside `subscribe`.
    ///
    ///     empty       |
    @inlinable
    public static func empty() -> Infallible<Element> {
        Infallible(.empty())
    }

    /// Creates a sequence that subscribes to a new result of `factory` for each subscription.
    ///
    /// An error that `factory` throws goes to ``Hooks/defaultErrorHandler``; the sequence is then empty.
    /// `factory` runs on the subscribing thread. Otherwise the sequence completes with that result, on its threads.
    @preconcurrency
    @inlinable
    public static func deferred(
        _ factory: @escaping @Sendable () throws -> Infallible<Element>
    ) -> Infallible<Element> {
        Infallible(guarding: .deferred { try factory().asObservable() })
    }

    /// Creates a sequence that emits the arguments on `scheduler` and completes.
    ///
    ///     of(a, b, c)     a-b-c-|
    ///
    /// Each element is one action on `scheduler`, and so is the completion.
    @inlinable
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.from(elements, scheduler: scheduler))
    }

    /// Creates a sequence that emits the elements of an array on `scheduler` and completes.
    ///
    /// Each element is one action on `scheduler`, and so is the completion.
    @inlinable
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.from(array, scheduler: scheduler))
    }

    /// Creates a sequence that emits the elements of a Swift sequence on `scheduler` and completes.
    ///
    /// Each subscription pulls the elements, one at a time, from an iterator of its own.
    /// Each element and the completion are one scheduled action each, by default on the subscribing thread.
    @inlinable
    public static func from(
        _ sequence: some Swift.Sequence<Element>,
        scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.from(sequence, scheduler: scheduler))
    }
}
