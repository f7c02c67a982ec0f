/// Where several sources flow together: what of a run of `merge` and its like is there once.
///
/// Whichever threads the sources are on, downstream hears one event after the other, and nobody waits for it. A source
/// is started outside the gate, so that one that never returns can be stopped from downstream. The run is over when
/// the last source has ended; subclasses differ in when they start one.
@usableFromInline
class Confluence<Element> {
    final let downstream: Sink<Element>
    /// What the operator's run returns.
    @usableFromInline final let sources = RunningSources()
    final let gate = Gate()
    private let ticket: ResourceTicket

    @usableFromInline
    init(_ operation: Operator, into downstream: Sink<Element>) {
        ticket = ResourceTicket(running: operation)
        self.downstream = downstream
    }

    /// Whether downstream takes anything any more.
    @inline(__always)
    final var isWanted: Bool { downstream.live.isActive }

    /// Takes a source in that the source of sources has told.
    func take(_ source: Observable<Element>) {
        if !tellOnly(source) { run(source) }
    }

    /// A source has ended.
    func completed(_ key: RunningSources.Key) {
        if sources.removeUnlessLast(key) { stop(with: .completed) }
    }

    /// Starts a source, on the thread's trampoline if it needs one.
    final func run(_ source: Observable<Element>) {
        let live = LiveSubscription()
        guard let key = sources.add(live) else { return }
        source.start(ConfluentSink(into: self, key, live), live)
    }

    /// Tells downstream a source that is one element at most, which takes no subscription.
    ///
    /// - Returns: whether it was one, and downstream free to hear it.
    final func tellOnly(_ source: Observable<Element>) -> Bool {
        guard gate.enter() else { return false }
        let wasTold = source.tellOnly(to: downstream)
        gate.leave()
        if wasTold { stopUnlessWanted() }
        return wasTold
    }

    /// Tells downstream an element.
    final func next(_ element: Element) {
        if gate.enter() {
            if isWanted { downstream.next(element) }
            gate.leave()
        } else {
            gate.post { if self.isWanted { self.downstream.next(element) } }
        }
        stopUnlessWanted()
    }

    /// Tells downstream the end, and stops what is still running.
    final func stop(with end: Termination) {
        if gate.enter() {
            stopInside(with: end)
            gate.leave()
        } else {
            gate.post { self.stopInside(with: end) }
        }
    }

    private final func stopInside(with end: Termination) {
        if isWanted { downstream.stop(with: end) }
        sources.dispose()
    }

    /// Downstream frees its sources by itself, but while it still subscribes it cannot know them.
    @inline(__always)
    final func stopUnlessWanted() {
        if !isWanted { sources.dispose() }
    }
}

/// The end of one source's chain.
final class ConfluentSink<Element>: Sink<Element> {
    private let confluence: Confluence<Element>
    private let key: RunningSources.Key

    init(into confluence: Confluence<Element>, _ key: RunningSources.Key, _ live: LiveSubscription) {
        self.confluence = confluence
        self.key = key
        super.init(live)
    }

    override func next(_ element: Element) {
        if live.isActive { confluence.next(element) }
    }

    override func error(_ error: any Error) {
        guard live.end() else { return }
        confluence.stop(with: .error(error))
        live.dispose()
    }

    override func completed() {
        guard live.end() else { return }
        confluence.completed(key)
        live.dispose()
    }
}
