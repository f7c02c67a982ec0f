// Unchecked: immutable; the closure is an operator's, and sendable.
/// `flatMap` of a trait.
///
/// It is not the `flatMap` of ``ObservableType``, because a trait may well go on with one of its own kind, over and
/// over: one that polls, say, or counts down. Or a great many are put one behind the other, each a step of some work. A
/// run is of all of them, whichever way they are nested, so that neither the stack nor the chain grows with their
/// number.
@usableFromInline
final class TraitMapping<Input, Output>: Observable<Output>, TraitStep, @unchecked Sendable {
    private let upstream: Upstream
    private let selector: (Input) throws -> Observable<Output>

    @usableFromInline
    init(_ upstream: Observable<Input>, _ selector: @escaping (Input) throws -> Observable<Output>) {
        self.upstream = Upstream(upstream)
        self.selector = selector
        super.init(.flatMap)
    }

    @usableFromInline
    override func run(_ sink: Sink<Output>) -> any Disposable {
        let run = TraitRun(into: sink)
        run.start(with: TraitSource(self))
        return run.sources
    }

    override var depth: UInt32 { upstream.depth }

    override var traitStep: (any TraitStep)? { self }

    var origin: TraitSource { upstream.with { (source: Observable<Input>) in TraitSource(source) } }

    func start(_ source: AnyObject, in run: any TraitStepping) {
        let source = unsafeDowncast(source, to: Observable<Input>.self)
        if source.isOnly { return take(only: source, in: run) }
        let sink = TraitStepSink(in: run, selector)
        guard let key = run.sources.add(sink.live) else { return }
        sink.key = key
        source.start(sink, sink.live)
    }

    /// Takes the element of a source that is one, which takes no subscription.
    private func take(only source: Observable<Input>, in run: any TraitStepping) {
        withUnsafeTemporaryAllocation(of: Input.self, capacity: 1) { memory in
            do {
                if let memory = memory.baseAddress, try source.only(into: memory, for: run.live) {
                    defer { memory.deinitialize(count: 1) }
                    let made = try selector(memory.pointee)
                    if run.live.isActive { run.take(made: TraitSource(made)) }
                }
                if run.sources.isEmpty { run.stop(with: .completed) }
            } catch {
                run.fail(with: error)
            }
        }
    }
}

/// A `flatMap` on the way from a source to the observer. Its types are known to itself alone.
protocol TraitStep: AnyObject {
    /// What it is made of.
    var origin: TraitSource { get }

    /// Starts that, or what came of it, for the step to be made when the element is there.
    func start(_ source: AnyObject, in run: any TraitStepping)
}

/// An observable of a type that need not be known, and the step that it may be.
struct TraitSource {
    let observable: AnyObject
    let step: (any TraitStep)?

    init<Element>(_ observable: Observable<Element>) {
        self.observable = observable
        step = observable.traitStep
    }
}

/// What a step tells.
protocol TraitStepping: AnyObject {
    var sources: RunningSources { get }
    /// The observer's subscription.
    var live: LiveSubscription { get }

    /// Goes on with what a step made of its element.
    func take(made source: TraitSource)
    /// A source has ended.
    func completed(_ key: RunningSources.Key)
    /// A source has failed.
    func fail(with error: any Error)
    func stop(with end: Termination)
}

/// A run of a trait's `flatMap` and of those before and after it.
private final class TraitRun<Element>: Confluence<Element>, TraitStepping {
    private typealias Successor = (source: TraitSource, place: RunningSources.Key)

    private let lock = Lock()
    /// The thread that is starting a source, and will start what is told on it meanwhile.
    @exclusivity(unchecked) private var starting: UnsafeRawPointer?
    @exclusivity(unchecked) private var successor: Successor?
    /// How a source failed after its element, from which the successor is still to come.
    @exclusivity(unchecked) private var failure: (any Error)?
    // The steps that are still to be made, the one after the next last. Touched by whoever starts a source, of which
    // there is one that has not told its element.
    @exclusivity(unchecked) private var nextStep: (any TraitStep)?
    @exclusivity(unchecked) private var furtherSteps: [any TraitStep] = []

    init(into downstream: Sink<Element>) {
        super.init(.flatMap, into: downstream)
    }

    var live: LiveSubscription { downstream.live }

    func take(made source: TraitSource) {
        if nextStep == nil, tellOnly(unsafeDowncast(source.observable, to: Observable<Element>.self)) { return }
        let here = UnsafeRawPointer(ThreadState.current)
        guard lock.locked({ starting == here }) else { return start(with: source) }
        // So that the run is not over when the source of this one ends before this one starts.
        guard let place = sources.add(LiveSubscription()) else { return }
        lock.locked { successor = (source, place) }
    }

    /// Starts a source and, one after the other, what follows it synchronously.
    func start(with first: TraitSource) {
        let here = UnsafeRawPointer(ThreadState.current)
        lock.locked { starting = here }
        begin(first)
        while let next = lock.locked({ nextSuccessor(on: here) }) {
            if isWanted { begin(next.source) }
            completed(next.place)
        }
        if let failure = lock.locked({ failure.take() }) { stop(with: .error(failure)) }
    }

    func fail(with error: any Error) {
        let here = UnsafeRawPointer(ThreadState.current)
        let waits = lock.locked {
            guard starting == here, successor != nil else { return false }
            failure = error
            return true
        }
        if !waits { stop(with: .error(error)) }
    }

    /// Where another thread has taken over, what follows is its business.
    private func nextSuccessor(on here: UnsafeRawPointer) -> Successor? {
        guard starting == here else { return nil }
        if successor == nil { starting = nil }
        return successor.take()
    }

    private func begin(_ first: TraitSource) {
        var source = first
        while let step = source.step {
            if let nextStep { furtherSteps.append(nextStep) }
            nextStep = step
            source = step.origin
        }
        if let step = nextStep {
            nextStep = furtherSteps.popLast()
            step.start(source.observable, in: self)
        } else {
            run(unsafeDowncast(source.observable, to: Observable<Element>.self))
        }
    }
}

/// The end of the chain of a source for whose element a step waits.
private final class TraitStepSink<Input, Output>: Sink<Input> {
    private let run: any TraitStepping
    private let selector: (Input) throws -> Observable<Output>
    /// Set before the source starts.
    @exclusivity(unchecked) var key: RunningSources.Key = 0
    @exclusivity(unchecked) private var wasTold = false

    init(in run: any TraitStepping, _ selector: @escaping (Input) throws -> Observable<Output>) {
        self.run = run
        self.selector = selector
        super.init(LiveSubscription())
    }

    /// A trait has no second element, but one that fails after the first and is retried comes with another: the steps
    /// are made once.
    override func next(_ element: Input) {
        guard live.isActive, !wasTold else { return }
        wasTold = true
        do {
            let source = try selector(element)
            if run.live.isActive { run.take(made: TraitSource(source)) }
        } catch {
            self.error(error)
        }
    }

    override func error(_ error: any Error) {
        guard live.end() else { return }
        run.fail(with: error)
        live.dispose()
    }

    override func completed() {
        guard live.end() else { return }
        run.completed(key)
        live.dispose()
    }
}
