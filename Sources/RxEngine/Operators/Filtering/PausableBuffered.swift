extension ObservableType {
    /// Emits elements while the latest element of `gate` is true, and otherwise queues them until it is true again.
    ///
    ///     source                              --1--2--3--4------5--|
    ///     gate                                ----t-----f----t-----
    ///     pausableBuffered(gate, limit: 9)    ----12--3------4--5--|
    ///
    /// The gate is closed until it emits. When it opens, all queued elements are delivered, even if it closes
    /// meanwhile. `overflow` handles an element that finds the queue full.
    ///
    /// If the source completes while elements are queued, the result completes after them, when the gate opens;
    /// otherwise at once. If the gate completes while it is closed, no more elements are emitted: they are dropped, as are
    /// the queued ones, and the result completes with the source. Fails with the first error of either, and drops the
    /// queued elements, too.
    /// The observer is called on the source's thread, and on the gate's thread with queued elements.
    ///
    /// - Parameters:
    ///   - gate: emits whether elements pass.
    ///   - limit: the maximum number of queued elements, at least 1.
    ///   - overflow: selects the element that is dropped if the queue is full. Default: the oldest.
    @inlinable
    public func pausableBuffered(
        _ gate: some ObservableType<Bool>, limit: Int, overflow: OverflowRule = .dropOldest
    ) -> Observable<Element> {
        precondition(limit > 0, "pausableBuffered(_:limit:): the limit must be positive, but is \(limit)")
        let (source, gate) = (asObservable(), gate.asObservable())
        return .source(.pausableBuffered) { PausableBufferSink(to: $0, limit, overflow).start(source, gate) }
    }
}

/// The boundary sink of the source's chain, which queues its elements while the gate is closed.
///
/// The drain serializes the events of both sources. All state is used inside it only.
@usableFromInline
final class PausableBufferSink<Element>: BoundarySink<Element> {
    private let ticket: ResourceTicket
    private let downstream: Sink<Element>
    private let limit: Int
    private let overflow: OverflowRule
    private let drain = SerializedDrain()
    @exclusivity(unchecked) private var queue = RingBuffer<Element>()
    @exclusivity(unchecked) private var state = State.closed

    /// Whether the gate is open, and what may still open it.
    private enum State {
        case open
        case closed
        /// The gate has completed while it was closed, and never opens.
        case neverOpens
        /// The source has completed while elements were queued, which are emitted when the gate opens.
        case completing
    }

    @usableFromInline
    init(to downstream: Sink<Element>, _ limit: Int, _ overflow: OverflowRule) {
        var downstream = downstream
        ticket = ResourceTicket(running: .pausableBuffered, into: &downstream)
        self.downstream = downstream
        self.limit = limit
        self.overflow = overflow
        super.init(LiveSubscription(in: ticket))
    }

    @usableFromInline
    func start(_ source: Observable<Element>, _ gate: Observable<Bool>) -> any Disposable {
        let gateSink = PausableGateSink(of: self)
        gateSink.live.attach(gate.run(gateSink))
        guard isActive else { return gateSink.live }
        live.attach(source.run(self))
        return TwoSubscriptions(first: live, second: gateSink.live)
    }

    fileprivate var isActive: Bool { downstream.live.isActive }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        if drain.enter() {
            receive(element)
            drain.leave()
        } else {
            drain.post { self.receive(element) }
        }
        // Downstream disposes the source itself, but not during its own subscribe call, when it has no disposable yet.
        if !isActive { live.dispose() }
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        drain.run { [self] in
            if case .completed = end, state == .closed, !queue.isEmpty {
                state = .completing
            } else {
                finish(with: end)
            }
        }
    }

    fileprivate func setGate(open: Bool) {
        drain.run { [self] in
            let isCompleting = state == .completing
            if !isCompleting { state = open ? .open : .closed }
            guard open else { return }
            while isActive, !queue.isEmpty { downstream.next(queue.removeFirst()) }
            if isCompleting { finish(with: .completed) }
        }
    }

    fileprivate func gateEnded(_ end: Termination) {
        drain.run { [self] in
            guard case .completed = end else { return finish(with: end) }
            switch state {
            case .open, .neverOpens: break
            case .closed:
                state = .neverOpens
                queue = RingBuffer()
            case .completing: finish(with: .completed)
            }
        }
    }

    // MARK: Inside the drain

    private func receive(_ element: Element) {
        if state == .open {
            if isActive { downstream.next(element) }
        } else if state != .neverOpens {
            enqueue(element)
        }
    }

    /// Apart from `receive(_:)`, whose stack frame it would enlarge for every element that passes.
    @inline(never)
    private func enqueue(_ element: Element) {
        var dropped = RingBuffer<Element>()
        let error = queue.append(element, upTo: limit, overflow, dropping: &dropped)
        if let error { finish(with: .error(error)) }
    }

    private func finish(with end: Termination) {
        if isActive { downstream.terminate(with: end) }
        queue = RingBuffer()
    }
}

/// The boundary sink of the gate's chain.
private final class PausableGateSink<Element>: BoundarySink<Bool> {
    private let target: PausableBufferSink<Element>

    init(of target: PausableBufferSink<Element>) {
        self.target = target
        super.init(LiveSubscription(into: target))
    }

    override func next(_ isOpen: Bool) {
        guard live.isActive else { return }
        target.setGate(open: isOpen)
        if !target.isActive { live.dispose() }
    }

    override func ended(_ end: Termination) {
        target.gateEnded(end)
    }
}
