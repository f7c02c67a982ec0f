// Unchecked: it changes only inside the drain.
/// A run of several sources that combines one element of each.
///
/// ``ObservableType/combineLatest(_:_:)`` and ``ObservableType/zip(_:_:)`` share it, for any number of sources and any
/// types of their elements. Each source stores its elements in a ``CombineInput``. When no input is empty, the run
/// makes a result of their elements.
@usableFromInline
class AnyCombineRun: @unchecked Sendable {
    private let ticket: ResourceTicket
    fileprivate let drain = SerializedDrain()

    // Safe although marked unsafe: the sink that the subclass retains owns it.
    @usableFromInline final unowned(unsafe) let live: LiveSubscription
    /// The sources' subscriptions, which ``disposable`` disposes.
    @usableFromInline final var subscriptions: [LiveSubscription] = []

    /// The number of sources that have not ended.
    @exclusivity(unchecked) fileprivate final var activeSources: Int
    /// The number of inputs without an element.
    @exclusivity(unchecked) final var emptyInputs: Int
    /// Whether the run completes at an element that can never be combined, because all other sources have completed and
    /// one of their inputs is empty.
    private let completesUnmatched: Bool

    init(
        _ operation: Operator, sources: Int, completesUnmatched: Bool, into downstream: AnySink,
        _ live: LiveSubscription
    ) {
        ticket = ResourceTicket(running: operation, under: downstream.record)
        self.live = live
        activeSources = sources
        emptyInputs = sources
        self.completesUnmatched = completesUnmatched
        subscriptions.reserveCapacity(sources)
    }

    /// Starts a run of `source` that stores its elements in `input`.
    @inlinable
    final func start<Element>(_ source: Observable<Element>, filling input: CombineInput<Element>) {
        guard live.isActive else { return }
        let live = makeLive()
        subscriptions.append(live)
        live.attach(source.run(CombineSourceSink(input, of: self, live)))
    }

    /// The operator; ``Operator/custom`` without the trait `TRACE_RESOURCES`.
    fileprivate final var operation: Operator { ticket.operation ?? .custom }

    /// Makes the subscription of a source.
    @usableFromInline
    final func makeLive() -> LiveSubscription { LiveSubscription(in: ticket) }

    /// Stops every source. It does not retain the run, so that the run is released with its sources.
    @usableFromInline
    final var disposable: any Disposable { SourcesDisposable(subscriptions: subscriptions) }

    private struct SourcesDisposable: Disposable {
        let subscriptions: [LiveSubscription]

        func dispose() {
            for live in subscriptions { live.dispose() }
        }
    }

    /// Emits a result if every input has an element. Called when an input has received one.
    fileprivate final func inputFilled() {
        if emptyInputs == 0 {
            emit()
        } else if completesUnmatched, activeSources == 1, live.isActive {
            terminate(with: .completed)
        }
    }

    fileprivate final func sourceEnded(_ end: Termination) {
        activeSources -= 1
        guard live.isActive else { return }
        switch end {
        case .error: terminate(with: end)
        case .completed: if activeSources == 0 { terminate(with: end) }
        }
    }

    /// Makes a result of one element of each input, and emits it.
    func emit() {
        preconditionFailure("\(type(of: self)) does not override emit()")
    }

    fileprivate func terminate(with end: Termination) {
        preconditionFailure("\(type(of: self)) does not override terminate(with:)")
    }
}

// Unchecked: as above.
/// The part of a combine run that depends on the type of the result: its downstream, and what makes a result.
@usableFromInline
final class CombineRun<Result>: AnyCombineRun, @unchecked Sendable {
    private let downstream: Sink<Result>
    private let makeResult: (AnyCombineRun) throws -> Result

    /// Creates a run whose `makeResult` combines the elements of the inputs.
    @usableFromInline
    init(
        _ operation: Operator, to downstream: Sink<Result>, sources: Int, completesUnmatched: Bool = true,
        _ makeResult: @escaping (AnyCombineRun) throws -> Result
    ) {
        self.downstream = downstream
        self.makeResult = makeResult
        super.init(
            operation, sources: sources, completesUnmatched: completesUnmatched, into: downstream, downstream.live)
    }

    override func emit() {
        guard live.isActive else { return }
        do {
            let result = try makeResult(self)
            if live.isActive { downstream.next(result) }
        } catch {
            downstream.error(Hooks.thrown(error, in: operation))
        }
    }

    fileprivate override func terminate(with end: Termination) {
        downstream.terminate(with: end)
    }

    /// Emits the only result of a run without sources, and completes.
    @usableFromInline
    func emitOnlyResult() {
        emit()
        if live.isActive { downstream.completed() }
    }
}

/// Stores a source's elements until they are combined.
@usableFromInline
class CombineInput<Element> {
    init() {}

    /// Stores an element. An input that was empty decreases ``AnyCombineRun/emptyInputs``.
    func put(_ element: Element, _ run: AnyCombineRun) {
        preconditionFailure("\(type(of: self)) does not override put(_:_:)")
    }

    /// Handles the completion of the source, before the run does.
    func completed(_ run: AnyCombineRun) {}
}

/// The boundary sink of one source's chain.
@usableFromInline
final class CombineSourceSink<Element>: BoundarySink<Element> {
    private let input: CombineInput<Element>
    private let run: AnyCombineRun

    @usableFromInline
    init(_ input: CombineInput<Element>, of run: AnyCombineRun, _ live: LiveSubscription) {
        self.input = input
        self.run = run
        super.init(live)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        guard run.drain.enter() else { return post(element) }
        input.put(element, run)
        run.inputFilled()
        run.drain.leave()
        // Downstream disposes the sources itself, but not during its own subscribe call, when it has no disposable yet.
        if !run.live.isActive { live.dispose() }
    }

    @inline(never)
    private func post(_ element: Element) {
        run.drain.post {
            self.input.put(element, self.run)
            self.run.inputFilled()
        }
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        run.drain.run {
            if case .completed = end { self.input.completed(self.run) }
            self.run.sourceEnded(end)
        }
    }
}
