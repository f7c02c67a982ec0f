extension ObservableType where Element: Equatable {
    /// Emits whether this sequence and `other` have the same elements in the same order.
    ///
    ///     source                  --1--2-----|
    ///     other                   -1-----2--|
    ///     sequenceEqual(other)    -----------true|
    ///
    /// Succeeds at the first difference, and disposes both, or when both have completed. Fails when one of them fails
    /// before that.
    /// The outcome is delivered on the thread that emits, by one thread at a time.
    ///
    /// - Complexity: Holds the elements that the other sequence has yet to emit, without bound.
    @inlinable
    public func sequenceEqual(_ other: some ObservableType<Element>) -> Single<Bool> {
        asObservable().equals(other.asObservable()) { $0 == $1 }
    }

    /// Emits whether this sequence and an observable, such as `.of(1, 2)`, have the same elements in the same order.
    ///
    /// Otherwise the same as `sequenceEqual` with any other sequence.
    @inlinable
    public func sequenceEqual(_ other: Observable<Element>) -> Single<Bool> {
        asObservable().equals(other) { $0 == $1 }
    }
}

extension Observable {
    @inlinable
    func equals(_ other: Observable<Element>, _ areEqual: @escaping (Element, Element) -> Bool) -> Single<Bool> {
        // Safe although marked unsafe: it captures nothing but the conformance of the element's type.
        nonisolated(unsafe) let areEqual = areEqual
        return Observable<Bool>.zip(longest: self, other) { first, second in
            if let first, let second { areEqual(first, second) } else { false }
        }
        .any { !$0 }.map { !$0 }
    }
}
