extension SharedSequenceConvertibleType where Element: Equatable {
    /// Drops each element that equals the one before.
    ///
    ///     source                      --1--1--2--1--|
    ///     distinctUntilChanged()      --1-----2--1--|
    ///
    /// Completes with the source, and delivers on the strategy's scheduler.
    public func distinctUntilChanged() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged())
    }
}

extension SharedSequenceConvertibleType {
    /// Drops each element whose key equals that of the one before.
    ///
    /// Completes with the source. `keySelector` and the observer are called on the strategy's scheduler.
    @preconcurrency
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping @Sendable (Element) -> Key
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector))
    }

    /// Drops each element that `comparer` considers equal to the one before.
    ///
    /// Completes with the source. `comparer` and the observer are called on the strategy's scheduler.
    @preconcurrency
    public func distinctUntilChanged(
        _ comparer: @escaping @Sendable (Element, Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(comparer))
    }

    /// Drops each element whose key `comparer` considers equal to that of the one before.
    ///
    /// Completes with the source. The closures and the observer are called on the strategy's scheduler.
    @preconcurrency
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping @Sendable (Element) -> Key, comparer: @escaping @Sendable (Key, Key) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// Drops the first `count` elements.
    ///
    ///     source      --1--2--3--|
    ///     skip(1)     -----2--3--|
    ///
    /// Completes with the source, and delivers on the strategy's scheduler.
    public func skip(_ count: Int) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().skip(count))
    }
}
