extension ObservableType {
    /// Emits the only element, and fails if there is none or more than one.
    ///
    ///     source      --1----|          --1--2--|       -------|
    ///     single()    --1----|          --1--X          -------X
    ///
    /// Emits the element as soon as it arrives, and completes with the source. Fails with the source's error, with
    /// ``RxError/moreThanOneElement`` at a second element, and with ``RxError/noElements`` if the source completes
    /// without an element.
    /// The observer is called on the source's thread.
    @inlinable
    public func single() -> Observable<Element> {
        asObservable().lift(.single) { SingleElementSink(to: $0, nil) }
    }

    /// Emits the only element that satisfies `predicate`, and fails if there is none or more than one.
    ///
    ///     source                  --1--2--3--|
    ///     single { $0 > 1 }       -----2--X
    ///
    /// Emits the element as soon as it arrives, and completes with the source. Fails with the source's error, with the
    /// error that `predicate` throws, with ``RxError/moreThanOneElement`` at a second such element, and with
    /// ``RxError/noElements`` if the source completes without one.
    /// `predicate` and the observer are called on the source's thread.
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
            return downstream.error(Hooks.thrown(error, in: .single))
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
