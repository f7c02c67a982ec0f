extension ObservableType where Element: Equatable {
    /// Leaves out each element that equals the one before.
    ///
    ///     source                      --1--1--2--1--|
    ///     distinctUntilChanged()      --1-----2--1--|
    @inlinable
    public func distinctUntilChanged() -> Observable<Element> {
        asObservable().distinct { $0 == $1 }
    }
}

extension ObservableType {
    /// Leaves out each element that `comparer` finds equal to the last one that was let through. An error thrown by it
    /// ends the sequence.
    @preconcurrency
    @inlinable
    public func distinctUntilChanged(
        _ comparer: @escaping @Sendable (Element, Element) throws -> Bool
    ) -> Observable<Element> {
        asObservable().distinct(comparer)
    }

    /// Leaves out each element whose key equals that of the last one that was let through. An error thrown by
    /// `keySelector` ends the sequence.
    ///
    ///     source                              --1--3--2--4--|
    ///     distinctUntilChanged { $0 % 2 }     --1-----2-----|
    @preconcurrency
    @inlinable
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<Element> {
        asObservable().distinct(by: keySelector) { $0 == $1 }
    }

    /// Leaves out each element whose key `comparer` finds equal to that of the last one that was let through. An error
    /// thrown by either closure ends the sequence.
    @preconcurrency
    @inlinable
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key,
        comparer: @escaping @Sendable (Key, Key) throws -> Bool
    ) -> Observable<Element> {
        asObservable().distinct(by: keySelector, comparer)
    }

    /// Leaves out each element whose property at `keyPath` equals that of the last one that was let through.
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

/// Whether an element differs from the last one that did, of which something is remembered. As with ``Step``, the
/// closure is compiled for the types where it is written.
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
        // A copy: the closure is the user's, and may make the source tell another element.
        var updated = memory
        do {
            guard try isNew(&updated, element), live.isActive else { return }
        } catch {
            return downstream.error(error)
        }
        memory = updated
        downstream.next(element)
    }
}
