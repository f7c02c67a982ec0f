extension ObservableType {
    /// Collects successive elements that satisfy `predicate` in arrays, which the other elements separate.
    ///
    /// It emits an array at the first element that does not satisfy `predicate`, which is dropped.
    ///
    ///     source                      --1--2--0--3--0--0--4--|
    ///     buffer(while: { $0 > 0 })   -------[12]---[3]-----[4]|
    ///
    /// Emits no empty array. Completes when the source completes, after an array of the remaining elements, if there
    /// are any. Fails with the source's error or with the error that `predicate` throws, and drops the elements.
    /// `predicate` and the observer are called on the source's thread.
    ///
    /// - Complexity: Holds the elements of one array, without bound.
    @preconcurrency
    @inlinable
    public func buffer(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<[Element]> {
        asObservable().lift(.buffer, with: predicate) { BufferWhileSink(to: $1, $0) }
    }
}

@usableFromInline
final class BufferWhileSink<Element>: OperatorSink<Element, [Element]> {
    private let predicate: @Sendable (Element) throws -> Bool
    @exclusivity(unchecked) private var elements = RingBuffer<Element>()

    @usableFromInline
    init(to downstream: Sink<[Element]>, _ predicate: @escaping @Sendable (Element) throws -> Bool) {
        self.predicate = predicate
        super.init(.buffer, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        do {
            if try predicate(element) { return elements.append(element) }
        } catch {
            return downstream.error(Hooks.thrown(error, in: .buffer))
        }
        emit()
    }

    @usableFromInline
    override func completed() {
        emit()
        if live.isActive { downstream.completed() }
    }

    private func emit() {
        if live.isActive, !elements.isEmpty { downstream.next(elements.removeAll()) }
    }
}
