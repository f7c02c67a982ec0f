import Synchronization

extension ObservableType {
    /// Emits each element, then recursively the elements of the sequence that `selector` returns for it.
    ///
    ///     source                                --1--|
    ///     expand { $0 < 4 ? just(2 * $0) : … }  --124|     and `empty` for 4
    ///
    /// Completes when the source and all selected sequences have completed; an expansion that never ends makes it run
    /// until it is disposed. Fails with the first error of any, or that `selector` throws.
    /// `selector` and the observer are called on the threads of the sequences, the observer by one thread at a time. An
    /// element is emitted before `selector` gets it.
    ///
    /// The order is that in which the sequences emit: elements of those that emit during their start, such as `of`,
    /// are interleaved.
    ///
    /// Deep recursion does not exhaust the stack: at most 64 sequences that emit during their start are nested, and the
    /// elements of deeper ones are queued.
    ///
    /// - Parameter selector: returns the sequence that follows from an element.
    @preconcurrency
    @inlinable
    public func expand(_ selector: @escaping @Sendable (Element) throws -> Observable<Element>) -> Observable<Element> {
        let upstream = asObservable()
        return .source(.expand) { ExpandRun(selector, into: $0).start(upstream) }
    }

    /// Emits each element, then recursively the elements of the sequence that `selector` returns for it.
    ///
    /// It is the same for a sequence of another type, such as a ``Single``.
    /// Completes when the source and all selected sequences have completed, and fails with the first error of any, or
    /// that `selector` throws. `selector` and the observer are called on the threads of the sequences, the observer by
    /// one thread at a time.
    @preconcurrency
    @inlinable @_disfavoredOverload
    public func expand<Source: ObservableConvertibleType<Element> & SendableMetatype>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Element> {
        expand { try selector($0).asObservable() }
    }
}

/// A merge run whose sources are the outer source and those that follow from elements.
///
/// An element is emitted inside the drain, and the source that follows from it is started outside. If another event is
/// being delivered, the element is emitted by the thread that delivers, and queued for one that leaves the drain.
@usableFromInline
final class ExpandRun<Element>: MergeRun<Element> {
    /// The maximum nesting of sources that emit during their start. Elements of deeper sources are queued, and expanded
    /// when the innermost start has returned.
    fileprivate static var maximumNesting: Int { 64 }

    private let selector: (Element) throws -> Observable<Element>
    /// The number of running sources, and of elements from which something may follow. The run completes at zero.
    private let unfinishedCount = Atomic(0)
    private let lock = Lock()
    /// The elements that were emitted, and from which something is to follow. Guarded by the lock.
    @exclusivity(unchecked) private var queue = RingBuffer<Element>()

    @usableFromInline
    init(_ selector: @escaping (Element) throws -> Observable<Element>, into downstream: Sink<Element>) {
        self.selector = selector
        super.init(.expand, into: downstream)
    }

    /// Starts the outer source.
    ///
    /// - Returns: the disposable of the operator's run.
    @usableFromInline
    func start(_ upstream: Observable<Element>) -> any Disposable {
        run(upstream, nesting: 0)
        return sources
    }

    /// Starts a source, whose elements are expanded.
    private func run(_ source: Observable<Element>, nesting: Int) {
        let live = makeLive()
        unfinishedCount.add(1, ordering: .relaxed)
        guard let key = sources.add(live) else { return }
        let sink = ExpandSink(into: self, key, live, nesting: nesting)
        source.start(sink)
        sink.didStart()
    }

    /// Handles the completion of a source.
    override func completed(_ key: RunningSources.Key) {
        // The last one stays until the end of the run was delivered.
        if isLast() { terminate(with: .completed) } else { sources.remove(key) }
    }

    /// - Returns: whether this was the last source or element.
    private func isLast() -> Bool { unfinishedCount.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }

    private func close() {
        if isLast() { terminate(with: .completed) }
    }

    /// Handles an element of a source.
    ///
    /// - Parameter nesting: the number of sources that are being started on this thread, each by an element of the one
    ///   before.
    fileprivate func receive(_ element: Element, nesting: Int) {
        // Counted before the delivery, so that the run does not complete if the source ends during it.
        unfinishedCount.add(1, ordering: .relaxed)
        if emit(element) {
            if nesting <= Self.maximumNesting { expand(element, nesting) } else { enqueue(element) }
        }
        if nesting <= Self.maximumNesting { expandQueued(nesting) }
        disposeUnlessActive()
    }

    /// Emits an element now, or queues it if another event is being delivered.
    ///
    /// - Returns: whether it was emitted, and the caller is to expand it.
    private func emit(_ element: Element) -> Bool {
        guard drain.enter() else {
            drain.post {
                if self.isActive { self.downstream.next(element) }
                self.enqueue(element)
            }
            return false
        }
        if isActive { downstream.next(element) }
        drain.leave()
        return true
    }

    private func enqueue(_ element: Element) {
        lock.locked { queue.append(element) }
    }

    private func expandQueued(_ nesting: Int) {
        while let element = lock.locked({ queue.isEmpty ? nil : queue.removeFirst() }) { expand(element, nesting) }
    }

    /// Starts the source that follows from an emitted element. A `just` is expanded in place, and an `empty` not started.
    private func expand(_ element: Element, _ nesting: Int) {
        do {
            var source = try following(element)
            while let scalar = source, scalar.isScalar {
                guard let next = try scalar.element(for: downstream.live) else { return close() }
                // `next` replaces `element` in `unfinishedCount`, so that the count does not change.
                guard emit(next) else { return }
                source = try following(next)
            }
            if let source, !source.emitScalar(to: downstream) { run(source, nesting: nesting) }
            close()
        } catch {
            terminate(with: .error(error))
        }
    }

    private func following(_ element: Element) throws -> Observable<Element>? {
        guard isActive else { return nil }
        do {
            let source = try selector(element)
            return isActive ? source : nil
        } catch {
            throw Hooks.thrown(error, in: operation)
        }
    }
}

extension Observable {
    /// The element of a scalar sequence; `nil` if it has none. Throws the error to emit.
    fileprivate func element(for live: LiveSubscription) throws -> Element? {
        try withUnsafeTemporaryAllocation(of: Element.self, capacity: 1) { memory in
            do {
                guard let memory = memory.baseAddress, try scalar(into: memory, for: live) else { return nil }
                return memory.move()
            } catch {
                throw Hooks.thrown(error, in: tracedOperation ?? .custom)
            }
        }
    }
}

/// The boundary sink of one source's chain.
private final class ExpandSink<Element>: BoundarySink<Element> {
    private let expandRun: ExpandRun<Element>
    private let key: RunningSources.Key
    private let nesting: Int
    /// The thread that starts the source; 0 when that has returned.
    private let startingThread = Atomic(UInt(bitPattern: ThreadState.current))

    init(into expandRun: ExpandRun<Element>, _ key: RunningSources.Key, _ live: LiveSubscription, nesting: Int) {
        (self.expandRun, self.key, self.nesting) = (expandRun, key, nesting)
        super.init(live)
    }

    func didStart() { startingThread.store(0, ordering: .relaxed) }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        let isNested = startingThread.load(ordering: .relaxed) == UInt(bitPattern: ThreadState.current)
        expandRun.receive(element, nesting: isNested ? nesting + 1 : 0)
    }

    override func ended(_ end: Termination) {
        expandRun.sourceEnded(end, key)
    }
}
