extension ObservableType {
    /// Emits whether the source completes without an element.
    ///
    ///     source        --1             -----|
    ///     isEmpty()     --false|        -----true|
    ///
    /// Succeeds at the first element, and disposes the source, or when it completes. Fails with the source's error.
    /// The outcome is delivered on the source's thread.
    @inlinable
    public func isEmpty() -> Single<Bool> {
        asObservable().mapTo(()).first().map { $0 == nil }
    }

    /// Emits whether an element satisfies `predicate`.
    ///
    ///     source                --1--5           --1--2--|
    ///     any { $0 > 3 }        -----true|       --------false|
    ///
    /// Succeeds at the first such element, and disposes the source, or when it completes. Fails with the source's error
    /// or with the error that `predicate` throws.
    /// `predicate` is called, and the outcome delivered, on the source's thread.
    @preconcurrency
    @inlinable
    public func any(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Single<Bool> {
        filter(predicate).mapTo(()).first().map { $0 != nil }
    }

    /// Emits whether all elements satisfy `predicate`.
    ///
    ///     source                --1--5            --1--2--|
    ///     all { $0 < 3 }        -----false|       --------true|
    ///
    /// Succeeds at the first element that does not, and disposes the source, or when it completes. Fails with the
    /// source's error or with the error that `predicate` throws.
    /// `predicate` is called, and the outcome delivered, on the source's thread.
    @preconcurrency
    @inlinable
    public func all(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Single<Bool> {
        ignoreWhen(predicate).isEmpty()
    }

    /// Emits the number of elements that satisfy `predicate`; without one, the number of all.
    ///
    ///     source                --1--5--2--|
    ///     count { $0 < 3 }      -----------2|
    ///
    /// Succeeds when the source completes. Fails with the source's error or with the error that `predicate` throws.
    /// `predicate` is called, and the outcome delivered, on the source's thread.
    @preconcurrency
    @inlinable
    public func count(
        _ predicate: @escaping @Sendable (Element) throws -> Bool = { _ in true }
    ) -> Single<Int> {
        reduce(0) { count, element in try predicate(element) ? count + 1 : count }.asSingle()
    }
}

extension ObservableType where Element: Equatable {
    /// Emits whether an element equals `element`.
    ///
    ///     source           --1--5           --1--2--|
    ///     contains(5)      -----true|       --------false|
    ///
    /// Succeeds at the first such element, and disposes the source, or when it completes. Fails with the source's error.
    /// The outcome is delivered on the source's thread.
    @inlinable
    public func contains(_ element: Element) -> Single<Bool> {
        let step = Step<Element, Void> { candidate, downstream in if candidate == element { downstream.next(()) } }
        return asObservable().lift(.filter, with: step) { StepSink(.filter, to: $1, $0) }.first().map { $0 != nil }
    }
}
