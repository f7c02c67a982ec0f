extension InfallibleType {
    /// Lets through the elements that satisfy `predicate`.
    ///
    ///     source              --1--2--3--4--|
    ///     filter { $0 > 2 }   --------3--4--|
    @preconcurrency
    @inlinable
    public func filter(_ predicate: @escaping @Sendable (Element) -> Bool) -> Infallible<Element> {
        Infallible(asObservable().filter(predicate))
    }

    /// Drops elements whose key equals that of the one before.
    @preconcurrency
    @inlinable
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Infallible<Element> {
        Infallible(guarding: asObservable().distinctUntilChanged(keySelector))
    }

    /// Drops elements that `comparer` finds equal to the one before.
    @preconcurrency
    @inlinable
    public func distinctUntilChanged(
        _ comparer: @escaping @Sendable (Element, Element) throws -> Bool
    ) -> Infallible<Element> {
        Infallible(guarding: asObservable().distinctUntilChanged(comparer))
    }

    /// Drops elements whose key `comparer` finds equal to that of the one before.
    @preconcurrency
    @inlinable
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key,
        comparer: @escaping @Sendable (Key, Key) throws -> Bool
    ) -> Infallible<Element> {
        Infallible(guarding: asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// Drops elements whose property equals that of the one before.
    @inlinable
    public func distinctUntilChanged<Property: Equatable>(
        at keyPath: KeyPath<Element, Property> & Sendable
    ) -> Infallible<Element> {
        Infallible(asObservable().distinctUntilChanged(at: keyPath))
    }

    /// The first `count` elements.
    ///
    ///     source      --1--2--3--|
    ///     take(2)     --1--2|
    @inlinable
    public func take(_ count: Int) -> Infallible<Element> {
        Infallible(asObservable().take(count))
    }

    /// The elements that come within `duration`.
    @inlinable
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(asObservable().take(for: duration, scheduler: scheduler))
    }

    /// The elements until `other` has one.
    @inlinable
    public func take<Source: InfallibleType>(until other: Source) -> Infallible<Element> {
        Infallible(asObservable().take(until: other.asObservable()))
    }

    /// The elements until `other` has one. If that fails, it will have none.
    @inlinable
    public func take<Source: ObservableType>(until other: Source) -> Infallible<Element> {
        Infallible(asObservable().take(until: other.guarded()))
    }

    /// The elements until one satisfies `predicate`; `behavior` says whether that one is among them.
    @preconcurrency
    @inlinable
    public func take(
        until predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Infallible<Element> {
        Infallible(guarding: asObservable().take(until: predicate, behavior: behavior))
    }

    /// The elements while they satisfy `predicate`; `behavior` says whether the first that does not is among them.
    @preconcurrency
    @inlinable
    public func take(
        while predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Infallible<Element> {
        Infallible(guarding: asObservable().take(while: predicate, behavior: behavior))
    }

    /// The elements but the first `count`.
    @inlinable
    public func skip(_ count: Int) -> Infallible<Element> {
        Infallible(asObservable().skip(count))
    }

    /// The elements from the first that does not satisfy `predicate`.
    @preconcurrency
    @inlinable
    public func skip(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Infallible<Element> {
        Infallible(guarding: asObservable().skip(while: predicate))
    }

    /// The elements after the first of `other`. If that fails, it will have none.
    @inlinable
    public func skip<Source: ObservableConvertibleType>(until other: Source) -> Infallible<Element> {
        Infallible(asObservable().skip(until: other.guarded()))
    }

    /// An element once there has been silence for `dueTime` after it.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// The first element and then at most one each `dueTime`: with `latest`, the last that came meanwhile.
    @inlinable
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType
    ) -> Infallible<Element> {
        Infallible(asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }
}

extension InfallibleType where Element: Equatable {
    /// Drops elements that equal the one before.
    ///
    ///     source                    --1--1--2--1--|
    ///     distinctUntilChanged()    --1-----2--1--|
    @inlinable
    public func distinctUntilChanged() -> Infallible<Element> {
        Infallible(asObservable().distinctUntilChanged())
    }
}
