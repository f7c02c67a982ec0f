extension ObservableType where Element: Equatable {
    /// Drops each element that equals the previous one.
    ///
    ///     source                      --1--1--2--1--|
    ///     distinctUntilChanged()      --1-----2--1--|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread.
    @inlinable
    public func distinctUntilChanged() -> Observable<Element> {
        asObservable().distinct { $0 == $1 }
    }
}

extension ObservableType {
    /// Drops each element that `comparer` finds equal to the last emitted one.
    ///
    ///     source                                      --1--3--2--4--|
    ///     distinctUntilChanged { $0 % 2 == $1 % 2 }   --1-----2-----|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `comparer` throws.
    /// `comparer` and the observer are called on the source's thread.
    ///
    /// - Parameter comparer: whether two elements are equal; the first is the last emitted one.
    @preconcurrency
    @inlinable
    public func distinctUntilChanged(
        _ comparer: @escaping @Sendable (Element, Element) throws -> Bool
    ) -> Observable<Element> {
        asObservable().distinct(comparer)
    }

    /// Drops each element whose key equals the key of the last emitted one.
    ///
    ///     source                              --1--3--2--4--|
    ///     distinctUntilChanged { $0 % 2 }     --1-----2-----|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `keySelector` throws.
    /// `keySelector` and the observer are called on the source's thread.
    ///
    /// - Parameter keySelector: returns the key of an element.
    @preconcurrency
    @inlinable
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<Element> {
        asObservable().distinct(by: keySelector) { $0 == $1 }
    }

    /// Drops each element whose key `comparer` finds equal to the key of the last emitted one.
    ///
    ///     source                                          --1--3--2--4--|
    ///     distinctUntilChanged({ $0 % 2 }, comparer: ==)  --1-----2-----|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that a closure throws.
    /// The closures and the observer are called on the source's thread.
    ///
    /// - Parameters:
    ///   - keySelector: returns the key of an element.
    ///   - comparer: whether two keys are equal; the first is that of the last emitted element.
    @preconcurrency
    @inlinable
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key,
        comparer: @escaping @Sendable (Key, Key) throws -> Bool
    ) -> Observable<Element> {
        asObservable().distinct(by: keySelector, comparer)
    }

    /// Drops each element whose property at `keyPath` equals that of the last emitted one.
    ///
    ///     source                                  --ab--ac--b--|
    ///     distinctUntilChanged(at: \.first)       --ab------b--|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread.
    @inlinable
    public func distinctUntilChanged<Property: Equatable>(
        at keyPath: KeyPath<Element, Property>
    ) -> Observable<Element> {
        asObservable().distinct { $0[keyPath: keyPath] == $1[keyPath: keyPath] }
    }
}

extension Observable {
    @inlinable
    func distinct(_ areEqual: @escaping (Element, Element) throws -> Bool) -> Observable<Element> {
        let comparison = Comparison<Element, Element?>(initial: nil) { last, element in
            if let known = last, try areEqual(known, element) { return false }
            last = element
            return true
        }
        return lift(.distinctUntilChanged, with: comparison) { DistinctUntilChangedSink(to: $1, $0) }
    }

    @inlinable
    func distinct<Key>(
        by keySelector: @escaping @Sendable (Element) throws -> Key, _ areEqual: @escaping (Key, Key) throws -> Bool
    ) -> Observable<Element> {
        let comparison = Comparison<Element, Key?>(initial: nil) { last, element in
            let key = try keySelector(element)
            if let known = last, try areEqual(known, key) { return false }
            last = key
            return true
        }
        return lift(.distinctUntilChanged, with: comparison) { DistinctUntilChangedSink(to: $1, $0) }
    }
}

/// The comparison of an element with the memory of the last emitted one. As with ``Step``, the closure is specialized
/// for the types where it is made.
@usableFromInline
struct Comparison<Element, Memory> {
    @usableFromInline let initial: Memory
    @usableFromInline let isNew: (inout Memory, Element) throws -> Bool

    @inlinable
    init(initial: Memory, isNew: @escaping (inout Memory, Element) throws -> Bool) {
        self.initial = initial
        self.isNew = isNew
    }
}

@usableFromInline
final class DistinctUntilChangedSink<Element, Memory>: OperatorSink<Element, Element> {
    private let isNew: (inout Memory, Element) throws -> Bool
    @exclusivity(unchecked) private var memory: Memory

    @usableFromInline
    init(to downstream: Sink<Element>, _ comparison: Comparison<Element, Memory>) {
        isNew = comparison.isNew
        memory = comparison.initial
        super.init(.distinctUntilChanged, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        // A copy: the closure is the user's, and may make the source emit another element.
        var updated = memory
        do {
            guard try isNew(&updated, element), live.isActive else { return }
        } catch {
            return downstream.error(Hooks.thrown(error, in: .distinctUntilChanged))
        }
        memory = updated
        downstream.next(element)
    }
}
