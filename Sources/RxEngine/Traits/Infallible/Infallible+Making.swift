extension InfallibleType {
    /// What `create` gives its closure to tell events with.
    public typealias InfallibleObserver = @Sendable (InfallibleEvent<Element>) -> Void

    /// A sequence whose every run is what `subscribe` does with its observer.
    ///
    ///     create { observer in
    ///         observer(.next(1))          // --1--|
    ///         observer(.completed)
    ///         return Disposables.create()
    ///     }
    ///
    /// What the closure returns is disposed when the sequence has ended or is disposed, even where the end came before
    /// the closure returned. Events after the end are ignored. The observer may be called from any thread, but never
    /// from two at once.
    @preconcurrency
    @inlinable
    public static func create(
        subscribe: @escaping @Sendable (@escaping InfallibleObserver) -> any Disposable
    ) -> Infallible<Element> {
        Infallible(.create { observer in subscribe { observer.on($0.event) } })
    }

    /// A sequence of one element, told inside `subscribe`.
    ///
    ///     just(x)     x|
    @inlinable
    public static func just(_ element: Element) -> Infallible<Element> {
        Infallible(.just(element))
    }

    /// A sequence of one element, told on one turn of `scheduler`; the end follows on the next.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(.just(element, scheduler: scheduler))
    }

    /// A sequence that tells nothing, ever.
    ///
    ///     never       -------->
    @inlinable
    public static func never() -> Infallible<Element> {
        Infallible(.never())
    }

    /// A sequence that ends inside `subscribe`.
    ///
    ///     empty       |
    @inlinable
    public static func empty() -> Infallible<Element> {
        Infallible(.empty())
    }

    /// A sequence that `factory` makes anew for each subscription. An error that it throws goes to
    /// ``Hooks/defaultErrorHandler``, and the sequence is then empty.
    @preconcurrency
    @inlinable
    public static func deferred(
        _ factory: @escaping @Sendable () throws -> Infallible<Element>
    ) -> Infallible<Element> {
        Infallible(guarding: .deferred { try factory().asObservable() })
    }

    /// A sequence of these elements: each is a turn of `scheduler`, and the end is another.
    ///
    ///     of(a, b, c)     a-b-c-|
    @inlinable
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.from(elements, scheduler: scheduler))
    }

    /// A sequence of an array's elements: each is a turn of `scheduler`, and the end is another.
    @inlinable
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.from(array, scheduler: scheduler))
    }

    /// A sequence of a sequence's elements, pulled one at a time by an iterator of each run's own.
    @inlinable
    public static func from<Elements: Swift.Sequence>(
        _ sequence: Elements, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> where Elements.Element == Element {
        Infallible(.from(sequence, scheduler: scheduler))
    }
}
