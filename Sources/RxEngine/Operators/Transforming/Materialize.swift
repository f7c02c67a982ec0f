extension ObservableType {
    /// Emits the source's events as elements.
    ///
    ///     source            --1--2--X
    ///     materialize()     --1--2--X|      with elements .next(1), .next(2), .error(X)
    ///
    /// Completes after the event that ends the source. Never fails: an error is an element.
    /// ``ObservableType/dematerialize()`` is its inverse.
    /// The observer is called on the source's thread.
    @inlinable
    public func materialize() -> Observable<Event<Element>> {
        let step = Step<Element, Event<Element>> { element, downstream in downstream.next(.next(element)) }
        return asObservable().lift(.materialize, with: step) { MaterializeSink(to: $1, $0) }
    }
}

@usableFromInline
final class MaterializeSink<Element>: OperatorSink<Element, Event<Element>> {
    private let receive: (Element, Sink<Event<Element>>) throws -> Void

    @usableFromInline
    init(to downstream: Sink<Event<Element>>, _ step: Step<Element, Event<Element>>) {
        receive = step.receive
        super.init(.materialize, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        do {
            try receive(element, downstream)
        } catch {
            downstream.error(error)
        }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        end(with: .error(error))
    }

    @usableFromInline
    override func completed() {
        end(with: .completed)
    }

    private func end(with event: Event<Element>) {
        guard live.isActive else {
            if let error = event.error { Hooks.dropped(error: error) }
            return
        }
        downstream.next(event)
        if live.isActive { downstream.completed() }
    }
}
