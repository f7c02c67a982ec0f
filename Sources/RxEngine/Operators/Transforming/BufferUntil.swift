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
            return sink.start(source, boundary, MarkSink(for: sink))
        }
    }
}

/// The boundary sink of the source's chain, which collects its elements.
///
/// The drain serializes the events of both sources.
@usableFromInline
final class BufferUntilSink<Element>: BoundarySink<Element>, MarkTarget {
    private let ticket: ResourceTicket
    private let downstream: Sink<[Element]>
    private let drain = SerializedDrain()
    /// Used inside the drain only.
    @exclusivity(unchecked) private var elements = RingBuffer<Element>()

    @usableFromInline
    init(to downstream: Sink<[Element]>) {
        var downstream = downstream
        ticket = ResourceTicket(running: .buffer, into: &downstream)
        self.downstream = downstream
        super.init(LiveSubscription(in: ticket))
    }

    @usableFromInline
    func start<Mark>(
        _ source: Observable<Element>, _ boundary: Observable<Mark>, _ mark: MarkSink<Mark>
    ) -> any Disposable {
        mark.live.attach(boundary.run(mark))
        guard isActive else { return mark.live }
        live.attach(source.run(self))
        return Disposables.create(live, mark.live)
    }

    @usableFromInline
    var isActive: Bool { downstream.live.isActive }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        // Downstream disposes the source itself, but not during its own subscribe call, when it has no disposable yet.
        guard isActive else { return live.dispose() }
        guard drain.enter() else { return drain.post { self.elements.append(element) } }
        elements.append(element)
        drain.leave()
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        drain.run { [self] in
            if case .completed = end, !elements.isEmpty, isActive { downstream.next(elements.removeAll()) }
            if isActive { downstream.terminate(with: end) }
        }
    }

    @usableFromInline
    func reachedMark() {
        drain.run { if self.isActive { self.downstream.next(self.elements.removeAll()) } }
    }

    @usableFromInline
    func marksFailed(_ error: any Error) {
        drain.run { if self.isActive { self.downstream.error(error) } }
    }
}
