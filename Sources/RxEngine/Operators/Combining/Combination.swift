// Unchecked: it changes inside the gate only.
/// One run over several sources that makes one element of one of each: what ``ObservableType/combineLatest(_:_:)`` and
/// ``ObservableType/zip(_:_:)`` have in common, whatever the number of sources and the types of their elements.
///
/// Every source fills a ``Slot``. When none of them is empty, the result is made of what is in them.
@usableFromInline
class AnyCombination: @unchecked Sendable {
    private let ticket: ResourceTicket
    fileprivate let gate = Gate()

    // Unsafe in name only: it belongs to the sink that the subclass holds.
    @usableFromInline final unowned(unsafe) let live: LiveSubscription
    /// Where every source's subscription is, so that they can all be stopped.
    @usableFromInline final var sources: [LiveSubscription] = []

    /// How many sources have not ended.
    @exclusivity(unchecked) fileprivate final var running: Int
    /// How many slots are empty.
    @exclusivity(unchecked) final var missing: Int
    /// Whether it is over when an element comes that can have no partner any more.
    private let endsAlone: Bool

    init(_ operation: Operator, sources: Int, endsAlone: Bool, in live: LiveSubscription) {
        ticket = ResourceTicket(running: operation)
        self.live = live
        running = sources
        missing = sources
        self.endsAlone = endsAlone
        self.sources.reserveCapacity(sources)
    }

    /// Starts a run of `source` that fills `slot`.
    @inlinable
    final func start<Element>(_ source: Observable<Element>, filling slot: Slot<Element>) {
        guard live.isActive else { return }
        let live = LiveSubscription()
        sources.append(live)
        live.attach(source.run(SlotSink(slot, of: self, live)))
    }

    /// What stops every source. It does not hold the run, so that the run goes when its sources have gone.
    @usableFromInline
    final var disposable: any Disposable { Sources(lives: sources) }

    private struct Sources: Disposable {
        let lives: [LiveSubscription]

        func dispose() {
            for live in lives { live.dispose() }
        }
    }

    /// A slot has been filled.
    fileprivate final func arrived() {
        if missing == 0 {
            tell()
        } else if endsAlone, running == 1, live.isActive {
            stop(with: .completed)
        }
    }

    fileprivate final func sourceEnded(_ end: Termination) {
        running -= 1
        guard live.isActive else { return }
        switch end {
        case .error: stop(with: end)
        case .completed: if running == 0 { stop(with: end) }
        }
    }

    fileprivate func tell() {
        preconditionFailure("\(type(of: self)) does not override tell()")
    }

    fileprivate func stop(with end: Termination) {
        preconditionFailure("\(type(of: self)) does not override stop(with:)")
    }
}

// Unchecked: as above.
/// One run over several sources, and whom it tells.
@usableFromInline
final class Combination<Result>: AnyCombination, @unchecked Sendable {
    private let downstream: Sink<Result>
    private let makeResult: (AnyCombination) throws -> Result

    /// `makeResult` makes one element of what is in the slots.
    @usableFromInline
    init(
        _ operation: Operator, to downstream: Sink<Result>, sources: Int, endsAlone: Bool = true,
        _ makeResult: @escaping (AnyCombination) throws -> Result
    ) {
        self.downstream = downstream
        self.makeResult = makeResult
        super.init(operation, sources: sources, endsAlone: endsAlone, in: downstream.live)
    }

    fileprivate override func tell() {
        guard live.isActive else { return }
        do {
            let result = try makeResult(self)
            if live.isActive { downstream.next(result) }
        } catch {
            downstream.error(error)
        }
    }

    fileprivate override func stop(with end: Termination) {
        downstream.stop(with: end)
    }

    /// What a run over no sources has to tell.
    @usableFromInline
    func tellOnlyResult() {
        tell()
        if live.isActive { downstream.completed() }
    }
}

/// Where a source's elements are until they are made part of a result.
@usableFromInline
class Slot<Element> {
    init() {}

    /// Takes an element in. A slot that was empty is no longer ``AnyCombination/missing``.
    func put(_ element: Element, _ run: AnyCombination) {
        preconditionFailure("\(type(of: self)) does not override put(_:_:)")
    }
}

/// Where a source's events arrive.
@usableFromInline
final class SlotSink<Element>: Sink<Element> {
    private let slot: Slot<Element>
    private let run: AnyCombination

    @usableFromInline
    init(_ slot: Slot<Element>, of run: AnyCombination, _ live: LiveSubscription) {
        self.slot = slot
        self.run = run
        super.init(live)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        guard run.gate.enter() else { return postpone(element) }
        slot.put(element, run)
        run.arrived()
        run.gate.leave()
        // Downstream frees the sources by itself, but while it still subscribes it cannot know them.
        if !run.live.isActive { live.dispose() }
    }

    @inline(never)
    private func postpone(_ element: Element) {
        run.gate.post {
            self.slot.put(element, self.run)
            self.run.arrived()
        }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        end(.error(error))
    }

    @usableFromInline
    override func completed() {
        end(.completed)
    }

    private func end(_ end: Termination) {
        guard live.end() else { return }
        run.gate.pass { self.run.sourceEnded(end) }
        live.dispose()
    }
}
