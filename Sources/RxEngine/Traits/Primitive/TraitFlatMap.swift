// Unchecked: immutable.
/// `flatMap` of a trait, whatever its input.
///
/// It is not the `flatMap` of ``ObservableType``, because a trait may well go on with one of its own kind, over and over:
/// one that polls, say, or counts down. A run takes such a successor over instead of starting a run inside the run, so
/// that neither the stack nor the chain grows with their number.
@usableFromInline
class TraitFlatMap<Element>: Observable<Element>, @unchecked Sendable {
    init() {
        super.init(.flatMap)
    }

    @usableFromInline
    final override func run(_ sink: Sink<Element>) -> any Disposable {
        let run = TraitConfluence(.flatMap, into: sink)
        run.start(with: self)
        return run.sources
    }

    /// Starts what is to be mapped.
    fileprivate func flow(into confluence: TraitConfluence<Element>) {
        preconditionFailure("\(type(of: self)) does not override flow(into:)")
    }
}

// Unchecked: immutable; the closure is an operator's, and sendable.
@usableFromInline
final class TraitMapping<Input, Element>: TraitFlatMap<Element>, @unchecked Sendable {
    private let upstream: Upstream
    private let selector: (Input) throws -> Observable<Element>

    @usableFromInline
    init(_ upstream: Observable<Input>, _ selector: @escaping (Input) throws -> Observable<Element>) {
        self.upstream = Upstream(upstream)
        self.selector = selector
        super.init()
    }

    fileprivate override func flow(into confluence: TraitConfluence<Element>) {
        _ = upstream.with { confluence.flow($0, selector) }
    }

    override var depth: UInt32 { upstream.depth }
}

/// A run of a trait's `flatMap` and of those it has taken over.
private final class TraitConfluence<Element>: Confluence<Element> {
    private typealias Successor = (source: Observable<Element>, place: RunningSources.Key)

    private let lock = Lock()
    /// The thread that is starting a source, and will start what is told on it meanwhile.
    @exclusivity(unchecked) private var starting: UnsafeRawPointer?
    @exclusivity(unchecked) private var successor: Successor?

    override func take(_ source: Observable<Element>) {
        if tellOnly(source) { return }
        let here = UnsafeRawPointer(ThreadState.current)
        guard lock.locked({ starting == here }) else { return start(with: source) }
        // So that the run is not over when the source of this one ends before this one starts.
        guard let place = sources.add(LiveSubscription()) else { return }
        lock.locked { successor = (source, place) }
    }

    /// Starts a source and, one after the other, what follows it synchronously.
    func start(with first: Observable<Element>) {
        let here = UnsafeRawPointer(ThreadState.current)
        lock.locked { starting = here }
        begin(first)
        while let next = lock.locked({ nextSuccessor(on: here) }) {
            if isWanted { begin(next.source) }
            completed(next.place)
        }
    }

    /// Where another thread has taken over, what follows is its business.
    private func nextSuccessor(on here: UnsafeRawPointer) -> Successor? {
        guard starting == here else { return nil }
        if successor == nil { starting = nil }
        return successor.take()
    }

    private func begin(_ source: Observable<Element>) {
        if let successor = source as? TraitFlatMap<Element> { successor.flow(into: self) } else { run(source) }
    }
}
