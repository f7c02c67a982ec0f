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
        lift(.distinctUntilChanged, with: Comparison(areEqual: areEqual)) {
            DistinctUntilChangedSink(to: $1, $0.areEqual)
        }
    }

    @inlinable
    func distinct<Key>(
        by keySelector: @escaping @Sendable (Element) throws -> Key, _ areEqual: @escaping (Key, Key) throws -> Bool
    ) -> Observable<Element> {
        lift(.distinctUntilChanged) { DistinctKeysSink(to: $0, keySelector, areEqual) }
    }
}

@usableFromInline
final class DistinctUntilChangedSink<Element>: OperatorSink<Element, Element> {
    private let areEqual: (Element, Element) throws -> Bool
    @exclusivity(unchecked) private var last: Element?

    @usableFromInline
    init(to downstream: Sink<Element>, _ areEqual: @escaping (Element, Element) throws -> Bool) {
        self.areEqual = areEqual
        super.init(.distinctUntilChanged, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        if let last {
            do {
                if try areEqual(last, element) { return }
            } catch {
                return downstream.error(error)
            }
            guard live.isActive else { return }
        }
        last = element
        downstream.next(element)
    }
}

@usableFromInline
final class DistinctKeysSink<Element, Key>: OperatorSink<Element, Element> {
    private let keySelector: @Sendable (Element) throws -> Key
    private let areEqual: (Key, Key) throws -> Bool
    @exclusivity(unchecked) private var last: Key?

    @usableFromInline
    init(
        to downstream: Sink<Element>, _ keySelector: @escaping @Sendable (Element) throws -> Key,
        _ areEqual: @escaping (Key, Key) throws -> Bool
    ) {
        self.keySelector = keySelector
        self.areEqual = areEqual
        super.init(.distinctUntilChanged, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        let key: Key
        do {
            key = try keySelector(element)
            if let last, try areEqual(last, key) { return }
        } catch {
            return downstream.error(error)
        }
        guard live.isActive else { return }
        last = key
        downstream.next(element)
    }
}

/// A closure as a parameter of ``Observable/lift(_:with:_:)``: bare, it would be wrapped in another.
@usableFromInline
struct Comparison<Element> {
    @usableFromInline let areEqual: (Element, Element) throws -> Bool

    @inlinable
    init(areEqual: @escaping (Element, Element) throws -> Bool) {
        self.areEqual = areEqual
    }
}
