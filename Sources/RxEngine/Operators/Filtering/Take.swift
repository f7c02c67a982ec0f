extension ObservableType {
    /// Emits the first `count` elements, and completes after the last of them.
    ///
    ///     source      --1--2--3--4--|
    ///     take(2)     --1--2|
    ///
    /// Completes earlier if the source does. Fails with the source's error.
    /// The observer is called on the source's thread.
    ///
    /// - Parameter count: the number of elements. With 0 the sequence completes at once, without subscribing to the
    ///   source. A negative number traps.
    @inlinable
    public func take(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "take(_:): the count must not be negative, but is \(count)")
        guard count > 0 else {
            return .source(.take, onTrampoline: false) { sink in
                sink.completed()
                return Disposables.create()
            }
        }
        return asObservable().lift(.take, with: count) { TakeSink(to: $1, $0) }
    }
}

@usableFromInline
final class TakeSink<Element>: OperatorSink<Element, Element> {
    @exclusivity(unchecked) private var remaining: Int

    @usableFromInline
    init(to downstream: Sink<Element>, _ count: Int) {
        remaining = count
        super.init(.take, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard remaining > 0 else { return }
        remaining -= 1
        // Computed before the call of downstream, which may make the source emit more elements.
        let isLast = remaining == 0
        downstream.next(element)
        if isLast, live.isActive { downstream.completed() }
    }
}
