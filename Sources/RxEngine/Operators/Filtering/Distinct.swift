extension ObservableType where Element: Hashable {
    /// Drops each element that was emitted before.
    ///
    ///     source        --1--2--1--3--2--|
    ///     distinct()    --1--2-----3-----|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread.
    ///
    /// - Complexity: Constant time for each element; holds all distinct elements, without bound.
    @inlinable
    public func distinct() -> Observable<Element> {
        asObservable().lift(.distinct) { downstream in
            var seen: Set<Element> = []
            return StepSink(
                .distinct, to: downstream,
                Step { element, downstream in if seen.insert(element).inserted { downstream.next(element) } })
        }
    }
}

extension ObservableType {
    /// Drops each element whose key an element before it had.
    ///
    ///     source                    --1--2--3--4--|
    ///     distinct { $0 % 2 }       --1--2--------|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `keySelector` throws.
    /// `keySelector` and the observer are called on the source's thread.
    ///
    /// - Parameter keySelector: returns the key of an element.
    /// - Complexity: Constant time for each element; holds all distinct keys, without bound.
    @preconcurrency
    @inlinable
    public func distinct<Key: Hashable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<Element> {
        asObservable().lift(.distinct) { downstream in
            var seen: Set<Key> = []
            let step = Step<Element, Element> { element, downstream in
                let key = try keySelector(element)
                if downstream.live.isActive, seen.insert(key).inserted { downstream.next(element) }
            }
            return StepSink(.distinct, to: downstream, step)
        }
    }
}
