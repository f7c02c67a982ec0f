extension ObservableType {
    /// Collects the elements, and emits them as an array at each element of `boundary`.
    ///
    ///     source              --1-2-----3-|
    ///     boundary            -----x--x-----
    ///     buffer(until:)      -----12-()--3|
    ///
    /// An array may be empty. When the source completes, the result emits the rest, if there is any, and completes; the
    /// completion of `boundary` changes nothing. Fails with the first error of either, and drops the elements.
    /// The observer is called on the thread of `boundary`, and on the source's thread at the end.
    ///
    /// - Complexity: Holds the elements between two boundaries, without bound.
    @inlinable
    public func buffer(until boundary: some ObservableType) -> Observable<[Element]> {
        let (source, boundary) = (asObservable(), boundary.asObservable())
        return .source(.buffer) { downstream in
            let sink = BufferUntilSink(to: downstream)
            let mark = BoundaryMarkSink(sink, of: boundary)
            return sink.start(source, boundary, mark)
        }
    }
}

/// The boundary sink of the source's chain, which collects its elements.
///
/// The drain serializes the events of both sources.
@usableFromInline
final class BufferUntilSink<Element>: BoundarySink<Element> {
    private let ticket = ResourceTicket(running: .buffer)
    private let downstream: Sink<[Element]>
    private let drain = SerializedDrain()
    /// Used inside the drain only.
    @exclusivity(unchecked) private var elements: [Element] = []

    @usableFromInline
    init(to downstream: Sink<[Element]>) {
        self.downstream = downstream
        super.init(LiveSubscription())
    }

    @usableFromInline
    func start<Mark>(
        _ source: Observable<Element>, _ boundary: Observable<Mark>, _ mark: BoundaryMarkSink<Element, Mark>
    ) -> any Disposable {
        mark.live.attach(boundary.run(mark))
        guard isActive else { return mark.live }
        live.attach(source.run(self))
        return Disposables.create(live, mark.live)
    }

    fileprivate var isActive: Bool { downstream.live.isActive }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        guard drain.enter() else { return drain.post { self.elements.append(element) } }
        elements.append(element)
        drain.leave()
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        drain.run { [self] in
            if case .completed = end, !elements.isEmpty, isActive { emit() }
            if isActive { downstream.terminate(with: end) }
        }
    }

    /// Handles an element of the boundary.
    fileprivate func reach() {
        drain.run { if self.isActive { self.emit() } }
    }

    fileprivate func fail(_ error: any Error) {
        drain.run { if self.isActive { self.downstream.error(error) } }
    }

    private func emit() {
        let full = elements
        elements = []
        downstream.next(full)
    }
}

/// The boundary sink of the boundary's chain.
@usableFromInline
final class BoundaryMarkSink<Element, Mark>: BoundarySink<Mark> {
    private let parent: BufferUntilSink<Element>

    @usableFromInline
    init(_ parent: BufferUntilSink<Element>, of boundary: Observable<Mark>) {
        self.parent = parent
        super.init(LiveSubscription())
    }

    @usableFromInline
    override func next(_ element: Mark) {
        guard live.isActive else { return }
        parent.reach()
        if !parent.isActive { live.dispose() }
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        if case .error(let error) = end { parent.fail(error) }
    }
}
