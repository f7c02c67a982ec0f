extension InfallibleType {
    /// Emits only the elements that satisfy `predicate`.
    ///
    ///     source              --1--2--3--4--|
    ///     filter { $0 > 2 }   --------3--4--|
    ///
    /// Completes with the source. `predicate` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func filter(_ predicate: @escaping @Sendable (Element) -> Bool) -> Infallible<Element> {
        Infallible(asObservable().filter(predicate))
    }

    /// Drops each element whose key equals that of the one before.
    ///
    /// An error that `keySelector` throws goes to ``Hooks/defaultErrorHandler`` and completes the result.
    /// Otherwise it completes with the source, on whose thread the observer is called.
    @preconcurrency
    @inlinable
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Infallible<Element> {
        Infallible(guarding: asObservable().distinctUntilChanged(keySelector))
    }

    /// Drops each element that `comparer` considers equal to the one before.
    ///
    /// An error that `comparer` throws goes to ``Hooks/defaultErrorHandler`` and completes the result.
    /// Otherwise it completes with the source, on whose thread the observer is called.
    @preconcurrency
    @inlinable
    public func distinctUntilChanged(
        _ comparer: @escaping @Sendable (Element, Element) throws -> Bool
    ) -> Infallible<Element> {
        Infallible(guarding: asObservable().distinctUntilChanged(comparer))
    }

    /// Drops each element whose key `comparer` considers equal to that of the one before.
    ///
    /// An error that a closure throws goes to ``Hooks/defaultErrorHandler`` and completes the result.
    /// Otherwise it completes with the source, on whose thread the observer is called.
    @preconcurrency
    @inlinable
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key,
        comparer: @escaping @Sendable (Key, Key) throws -> Bool
    ) -> Infallible<Element> {
        Infallible(guarding: asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// Drops each element whose property equals that of the one before.
    ///
    /// Completes with the source. The observer is called on the source's thread.
    @inlinable
    public func distinctUntilChanged<Property: Equatable>(
        at keyPath: KeyPath<Element, Property> & Sendable
    ) -> Infallible<Element> {
        Infallible(asObservable().distinctUntilChanged(at: keyPath))
    }

    /// Emits the first `count` elements, then completes.
    ///
    ///     source      --1--2--3--|
    ///     take(2)     --1--2|
    ///
    /// Completes earlier if the source does. The observer is called on the source's thread.
    @inlinable
    public func take(_ count: Int) -> Infallible<Element> {
        Infallible(asObservable().take(count))
    }

    /// Emits the elements that arrive within `duration` of the subscription, then completes on `scheduler`.
    ///
    ///     source        --1--2--3--4-->
    ///     take(for: 7)  --1--2-|
    ///
    /// Completes earlier if the source does, on whose thread the elements are delivered.
    @inlinable
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(asObservable().take(for: duration, scheduler: scheduler))
    }

    /// Emits the elements until `other` emits one, then completes.
    ///
    ///     source                  --1--2--3--4--|
    ///     other                   --------x
    ///     take(until: other)      --1--2--|
    ///
    /// Completes earlier if the source does; completion of `other` has no effect. The thread of `other` delivers the
    /// completion that it causes.
    @inlinable
    public func take(until other: some InfallibleType) -> Infallible<Element> {
        Infallible(asObservable().take(until: other.asObservable()))
    }

    /// Emits the elements until `other` emits one, then completes.
    ///
    ///     source                  --1--2--3--4--|
    ///     other                   --------x
    ///     take(until: other)      --1--2--|
    ///
    /// An error of `other` goes to ``Hooks/defaultErrorHandler``; the result then ends with this sequence.
    /// Completes earlier if the source does. The thread of `other` delivers the completion that it causes.
    @inlinable
    public func take(until other: some ObservableType) -> Infallible<Element> {
        Infallible(asObservable().take(until: other.guarded()))
    }

    /// Emits the elements until one satisfies `predicate`, then completes.
    ///
    ///     source                                              --1--2--3--1--|
    ///     take(until: { $0 == 3 })                            --1--2--|
    ///     take(until: { $0 == 3 }, behavior: .inclusive)      --1--2--3|
    ///
    /// An error that `predicate` throws goes to ``Hooks/defaultErrorHandler`` and completes the result.
    /// Completes earlier if the source does. `predicate` and the observer are called on the source's thread.
    ///
    /// - Parameters:
    ///   - predicate: the condition that ends the sequence.
    ///   - behavior: whether the element that satisfies `predicate` is emitted. Default: `.exclusive`, it is not.
    @preconcurrency
    @inlinable
    public func take(
        until predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Infallible<Element> {
        Infallible(guarding: asObservable().take(until: predicate, behavior: behavior))
    }

    /// Emits the elements while they satisfy `predicate`, then completes.
    ///
    ///     source                                              --1--2--3--1--|
    ///     take(while: { $0 < 3 })                             --1--2--|
    ///     take(while: { $0 < 3 }, behavior: .inclusive)       --1--2--3|
    ///
    /// An error that `predicate` throws goes to ``Hooks/defaultErrorHandler`` and completes the result.
    /// Completes earlier if the source does. `predicate` and the observer are called on the source's thread.
    ///
    /// - Parameters:
    ///   - predicate: the condition that every element satisfies.
    ///   - behavior: whether the first element that does not is emitted. Default: `.exclusive`, it is not.
    @preconcurrency
    @inlinable
    public func take(
        while predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Infallible<Element> {
        Infallible(guarding: asObservable().take(while: predicate, behavior: behavior))
    }

    /// Drops the first `count` elements.
    ///
    ///     source      --1--2--3--4--|
    ///     skip(2)     --------3--4--|
    ///
    /// Completes with the source. The observer is called on the source's thread.
    @inlinable
    public func skip(_ count: Int) -> Infallible<Element> {
        Infallible(asObservable().skip(count))
    }

    /// Drops elements until one does not satisfy `predicate`; emits that one and all that follow.
    ///
    ///     source                      --1--2--3--1--|
    ///     skip(while: { $0 < 3 })     --------3--1--|
    ///
    /// An error that `predicate` throws goes to ``Hooks/defaultErrorHandler`` and completes the result.
    /// Otherwise it completes with the source. `predicate` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func skip(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Infallible<Element> {
        Infallible(guarding: asObservable().skip(while: predicate))
    }

    /// Drops elements until `other` emits its first.
    ///
    ///     source                  --1--2--3--4--|
    ///     other                   ------x
    ///     skip(until: other)      --------3--4--|
    ///
    /// If this sequence completes before that, the result neither emits nor completes. An error of `other` goes to
    /// ``Hooks/defaultErrorHandler``, with the same effect.
    /// Afterwards it completes with this sequence, on whose thread the observer is called.
    @inlinable
    public func skip(until other: some ObservableConvertibleType) -> Infallible<Element> {
        Infallible(asObservable().skip(until: other.guarded()))
    }

    /// Emits an element on `scheduler` when `dueTime` has passed without another one.
    ///
    ///     source         --1-2-3-----4----5-|
    ///     debounce(3)    ---------3-----4--5|
    ///
    /// The completion delivers a pending element at once.
    /// Both are delivered on the thread that completes the source.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// Emits at most one element within `dueTime`: the first, then the latest one at the end of each span.
    ///
    ///     source                        --1-2-3---------4-5---|
    ///     throttle(4)                   --1---3---------4---5-|
    ///     throttle(4, latest: false)    --1-------------4-----|
    ///
    /// A span starts when an element has been delivered. The completion follows a pending element.
    /// The first element of a span is delivered on the source's thread, and the completion too unless it follows a
    /// pending element.
    ///
    /// - Parameters:
    ///   - dueTime: the length of a span.
    ///   - latest: whether the last element of a span is emitted at its end, on `scheduler`. Without it the elements of
    ///     a span are dropped. Default: `true`.
    ///   - scheduler: measures the spans and delivers the elements at their ends.
    @inlinable
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType
    ) -> Infallible<Element> {
        Infallible(asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }

    /// Starts a span of `dueTime` at an element, and emits the latest element at its end.
    ///
    ///     source          --1-2-3---------4-5---|
    ///     auditTime(4)    ------3-----------5---|
    ///
    /// The completion follows a pending element.
    /// Elements are delivered on `scheduler`, and the completion too if it follows a pending element.
    @inlinable
    public func auditTime(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(asObservable().auditTime(dueTime, scheduler: scheduler))
    }
}

extension InfallibleType where Element: Equatable {
    /// Drops each element that equals the one before.
    ///
    ///     source                    --1--1--2--1--|
    ///     distinctUntilChanged()    --1-----2--1--|
    ///
    /// Completes with the source. The observer is called on the source's thread.
    @inlinable
    public func distinctUntilChanged() -> Infallible<Element> {
        Infallible(asObservable().distinctUntilChanged())
    }
}
