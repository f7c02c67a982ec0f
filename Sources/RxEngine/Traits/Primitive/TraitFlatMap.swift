// Unchecked: it is immutable, and the public operators that make it take a sendable closure.
/// The `flatMap` of a trait.
///
/// It differs from the `flatMap` of ``ObservableType`` because the selector of a trait often returns a `flatMap` again,
/// over and over (a poll, a countdown), and because long chains of `flatMap` are common. One run executes all steps of
/// such a chain, however they are nested, so that neither the stack nor the chain of sinks grows with their number.
@usableFromInline
final class TraitFlatMap<Input, Output>: Observable<Output>, TraitStep, @unchecked Sendable {
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

    func start(_ source: AnyObject, in run: any AnyTraitRun) {
        let source = unsafeDowncast(source, to: Observable<Input>.self)
        if source.isScalar { return takeScalar(source, in: run) }
        let sink = TraitStepSink(in: run, selector)
        guard let key = run.sources.add(sink.live) else { return }
        sink.key = key
        source.start(sink, sink.live)
    }

    /// Takes the element of a scalar source, without a subscription.
    private func takeScalar(_ source: Observable<Input>, in run: any AnyTraitRun) {
        withUnsafeTemporaryAllocation(of: Input.self, capacity: 1) { memory in
            do {
                if let memory = memory.baseAddress, try source.scalar(into: memory, for: run.live) {
                    defer { memory.deinitialize(count: 1) }
                    let made = try selector(memory.pointee)
                    if run.live.isActive { run.startNext(TraitSource(made)) }
                }
                if run.sources.isEmpty { run.terminate(with: .completed) }
            } catch {
                run.fail(with: Hooks.thrown(error, in: .flatMap))
            }
        }
    }
}

/// A `flatMap` between a source and the observer, without its element types.
protocol TraitStep: AnyObject {
    /// The source whose element the step takes.
    var origin: TraitSource { get }

    /// Subscribes to `source`, the origin, and runs the step when it emits.
    func start(_ source: AnyObject, in run: any AnyTraitRun)
}

/// An observable of an erased element type, and its step if it is a `flatMap`.
struct TraitSource {
    let observable: AnyObject
    let step: (any TraitStep)?

    init<Element>(_ observable: Observable<Element>) {
        self.observable = observable
        step = observable.traitStep
    }
}

/// The run that a step reports to.
protocol AnyTraitRun: AnyObject {
    var sources: RunningSources { get }
    /// The subscription of the observer.
    var live: LiveSubscription { get }

    /// Makes the subscription of a source.
    func makeLive() -> LiveSubscription
    /// Continues with the sequence that a step's selector returned.
    func startNext(_ source: TraitSource)
    /// Removes a source that completed.
    func completed(_ key: RunningSources.Key)
    /// Ends the run with the error of a source.
    func fail(with error: any Error)
    func terminate(with end: Termination)
}

/// A run of a trait's `flatMap` and of the `flatMap`s before and after it.
private final class TraitRun<Element>: MergeRun<Element>, AnyTraitRun {
    private typealias NextSource = (source: TraitSource, placeholder: RunningSources.Key)

    private let lock = Lock()
    /// The thread that is starting a source. It also starts the next sources that steps find on this thread meanwhile.
    @exclusivity(unchecked) private var startingThread: UnsafeRawPointer?
    @exclusivity(unchecked) private var nextSource: NextSource?
    /// The error of a source that failed after its element, which the next source precedes.
    @exclusivity(unchecked) private var failure: (any Error)?
    // The steps that have not run: the next one, and a stack of the later ones, whose top follows the next. Only the
    // thread that starts a source touches them, and at most one started source has not emitted its element.
    @exclusivity(unchecked) private var nextStep: (any TraitStep)?
    @exclusivity(unchecked) private var laterSteps: [any TraitStep] = []

    init(into downstream: Sink<Element>) {
        super.init(.flatMap, into: downstream)
    }

    var live: LiveSubscription { downstream.live }

    func startNext(_ source: TraitSource) {
        if nextStep == nil, emitScalar(unsafeDowncast(source.observable, to: Observable<Element>.self)) { return }
        let thread = UnsafeRawPointer(ThreadState.current)
        guard lock.locked({ startingThread == thread }) else { return start(with: source) }
        // The placeholder keeps the run from completing if its source completes before the next source starts.
        guard let placeholder = sources.add(makeLive()) else { return }
        lock.locked { nextSource = (source, placeholder) }
    }

    /// Starts a source and then, in a loop, the next sources that it finds synchronously.
    func start(with first: TraitSource) {
        let thread = UnsafeRawPointer(ThreadState.current)
        lock.locked { startingThread = thread }
        begin(first)
        while let next = lock.locked({ nextToStart(on: thread) }) {
            if isActive { begin(next.source) }
            completed(next.placeholder)
        }
        if let failure = lock.locked({ failure.take() }) { terminate(with: .error(failure)) }
    }

    func fail(with error: any Error) {
        let thread = UnsafeRawPointer(ThreadState.current)
        let isDeferred = lock.locked {
            guard startingThread == thread, nextSource != nil else { return false }
            failure = error
            return true
        }
        if !isDeferred { terminate(with: .error(error)) }
    }

    /// Returns `nil` if another thread has started a source since: that thread then starts the next sources.
    private func nextToStart(on thread: UnsafeRawPointer) -> NextSource? {
        guard startingThread == thread else { return nil }
        if nextSource == nil { startingThread = nil }
        return nextSource.take()
    }

    /// Pushes the steps of a chain of `flatMap`s, and subscribes to its first source.
    private func begin(_ first: TraitSource) {
        var source = first
        while let step = source.step {
            if let nextStep { laterSteps.append(nextStep) }
            nextStep = step
            source = step.origin
        }
        if let step = nextStep {
            nextStep = laterSteps.popLast()
            step.start(source.observable, in: self)
        } else {
            run(unsafeDowncast(source.observable, to: Observable<Element>.self))
        }
    }
}

/// The boundary sink of a source whose element a step takes.
private final class TraitStepSink<Input, Output>: BoundarySink<Input> {
    private let run: any AnyTraitRun
    private let selector: (Input) throws -> Observable<Output>
    /// The key of the source in the run, set before the source starts.
    @exclusivity(unchecked) var key: RunningSources.Key = 0
    @exclusivity(unchecked) private var wasEmitted = false

    init(in run: any AnyTraitRun, _ selector: @escaping (Input) throws -> Observable<Output>) {
        self.run = run
        self.selector = selector
        super.init(run.makeLive())
    }

    /// A trait emits one element, but a source that fails after it and is retried emits again: the step runs once.
    override func next(_ element: Input) {
        guard live.isActive, !wasEmitted else { return }
        wasEmitted = true
        do {
            let source = try selector(element)
            if run.live.isActive { run.startNext(TraitSource(source)) }
        } catch {
            self.error(Hooks.thrown(error, in: .flatMap))
        }
    }

    override func ended(_ end: Termination) {
        switch end {
        case .error(let error): run.fail(with: error)
        case .completed: run.completed(key)
        }
    }
}
