extension ObservableType {
    /// Makes sure that there is one element: it is let through as it comes.
    ///
    ///     source      --1----|          --1--2--|       -------|
    ///     single()    --1----|          --1--X          -------X
    ///
    /// A second one fails with ``RxError/moreThanOneElement``, an end before the first with ``RxError/noElements``.
    @inlinable
    public func single() -> Observable<Element> {
        asObservable().lift(.single) { SingleElementSink(to: $0, nil) }
    }

    /// Makes sure that there is one element that satisfies `predicate`, and lets no other through. An error thrown by
    /// the closure ends the sequence.
    ///
    ///     source                  --1--2--3--|
    ///     single { $0 > 1 }       -----2--X
    ///
    /// A second one fails with ``RxError/moreThanOneElement``, an end before the first with ``RxError/noElements``.
    @preconcurrency
    @inlinable
    public func single(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        asObservable().lift(.single) { SingleElementSink(to: $0, predicate) }
    }
}

@usableFromInline
final class SingleElementSink<Element>: OperatorSink<Element, Element> {
    private let predicate: (@Sendable (Element) throws -> Bool)?
    @exclusivity(unchecked) private var count = 0

    @usableFromInline
    init(to downstream: Sink<Element>, _ predicate: (@Sendable (Element) throws -> Bool)?) {
        self.predicate = predicate
        super.init(.single, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard count < 2 else { return }
        do {
            if let predicate, try !predicate(element) { return }
        } catch {
            return downstream.error(error)
        }
        guard live.isActive else { return }
        count += 1
        if count == 1 { downstream.next(element) } else { downstream.error(RxError.moreThanOneElement) }
    }

    @usableFromInline
    override func completed() {
        if count == 0 { downstream.error(RxError.noElements) } else { downstream.completed() }
    }
}
