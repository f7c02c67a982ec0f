// Unchecked: subclasses hold closures and elements of their users, whose types the compiler cannot check here.
/// A push-based sequence.
///
/// Making an observable does no work. Each subscription starts a run of its own, unless the observable is a subject or
/// shared. A subclass overrides ``run(_:)``; everything else follows from it.
///
/// An observable is immutable or guards its state, so any thread may subscribe to it. The element type is not
/// constrained to `Sendable`: code that sends an element to another thread is responsible for whether it may be sent.
open class Observable<Element>: ObservableType, @unchecked Sendable {
    private let ticket: ResourceTicket

    /// Creates an observable, for subclasses.
    ///
    /// - Parameter operation: the operator that ``Resources`` counts the observable as.
    public init(_ operation: Operator = .custom) {
        ticket = ResourceTicket(of: operation)
    }

    /// The number of observables below this one, as far as that is known; see ``Upstream``.
    var depth: UInt32 { 0 }

    /// Notes in the record of `sink`, if subscriptions are recorded, that this observable emits to it.
    @inline(never)
    final func noteSource(of sink: Sink<Element>) {
        if let operation = tracedOperation, !endsInTailRun { sink.record?.set(source: operation, sharedBy: nil) }
    }

    /// Starts a run of the sequence into `sink`.
    ///
    /// Called once for every subscription, on the subscribing thread and inside its trampoline (see
    /// ``startsOnTrampoline``). The run calls `sink` on any thread, one call at a time, and not again after it has
    /// ended or the returned disposable is disposed.
    ///
    /// - Parameter sink: receives the events.
    /// - Returns: the disposable that stops the run.
    open func run(_ sink: Sink<Element>) -> any Disposable {
        preconditionFailure("\(type(of: self)) does not override run(_:)")
    }

    /// Whether an outermost subscription first enters the ``CurrentThreadScheduler``.
    ///
    /// Hot sources and those that emit everything inside `subscribe`, such as `just`, do not need to.
    open var startsOnTrampoline: Bool { true }

    /// Subscribes an observer, which starts a run of the sequence.
    ///
    /// The sequence calls the observer on the thread that emits, one event at a time.
    ///
    /// - Parameter observer: receives the events.
    /// - Returns: the disposable that cancels the run. Dropping it cancels nothing.
    @inlinable
    public final func subscribe(_ observer: some ObserverType<Element>) -> any Disposable {
        let live = LiveSubscription()
        start(ObserverSink(observer, live) { observer, element in observer.onNext(element) }, live)
        return live
    }

    /// Returns the observable itself.
    @inlinable
    public final func asObservable() -> Observable<Element> {
        self
    }

    /// Starts a run into the boundary `sink`, whose live subscription then stops it.
    ///
    /// A boundary is for one run: starting a second one into it traps.
    ///
    /// It may be called on any thread, also from inside an event. An outermost call enters the thread's trampoline if
    /// the sequence needs it (``startsOnTrampoline``).
    public final func start(_ sink: BoundarySink<Element>) {
        start(sink, sink.live)
    }

    /// Starts a run into `sink`, the boundary of `live`'s chain. `onDisposed` runs after the run has disposed its source.
    @usableFromInline
    final func start(
        _ sink: Sink<Element>, _ live: LiveSubscription, onDisposed: (@Sendable () -> Void)? = nil
    ) {
        Probes.subscribe(live, tracedOperation)
        if DiagnosticSwitches.isOn(DiagnosticSwitches.starts) {
            return begin(observeStart(of: sink, live), live, onDisposed)
        }
        begin(sink, live, onDisposed)
    }

    @inline(__always)
    private final func begin(_ sink: Sink<Element>, _ live: LiveSubscription, _ onDisposed: (@Sendable () -> Void)?) {
        if startsOnTrampoline {
            Trampoline.enter { run(sink, live, onDisposed) }
        } else {
            run(sink, live, onDisposed)
        }
    }

    /// Calls ``Hooks/onSubscribe``, and prepares the subscription's record.
    ///
    /// - Returns: the sink to run into.
    @inline(never)
    private final func observeStart(of sink: Sink<Element>, _ live: LiveSubscription) -> Sink<Element> {
        #if TRACE_RESOURCES
        Hooks.subscribing(to: ticket.operation)
        #endif
        let sink = DropReportingSink.wrapping(sink)
        guard let record = live.record else { return sink }
        record.set(live: live)
        return record.counting(sink)
    }

    /// The operator that ``Resources`` counts the observable as; `nil` without the trait `TRACE_RESOURCES`.
    final var tracedOperation: Operator? { ticket.operation }

    private final func run(_ sink: Sink<Element>, _ live: LiveSubscription, _ onDisposed: (@Sendable () -> Void)?) {
        if let onDisposed {
            live.attach(Disposables.create(run(sink), Disposables.create(with: onDisposed)))
        } else {
            live.attach(run(sink))
        }
    }

    /// Whether `run(_:)` ends in a *tail run*: its last use of the sink is to run another observable into it, as a
    /// function may end in a tail call. ``ConcatRun`` relies on it to take over nested runs.
    var endsInTailRun: Bool { false }

    /// Runs this observable into the sink of another one, which does not use the sink afterwards (``endsInTailRun``).
    @usableFromInline
    final func tailRun(_ sink: Sink<Element>) -> any Disposable {
        sink.noteTailRun(endsInTailRun: endsInTailRun)
        return run(sink)
    }

    /// Runs the body of a ``Redirect`` and sets `next` to the observable that runs in its place.
    ///
    /// - Parameters:
    ///   - sink: receives the first events.
    ///   - next: the observable to run; stays `nil` if the body returns none.
    /// - Returns: whether this observable is a redirect.
    func redirect(_ sink: Sink<Element>, to next: inout AnyObject?) -> Bool {
        false
    }

    /// The observable as a step in the run of a trait; see ``TraitFlatMap``.
    var traitStep: (any TraitStep)? { nil }

    /// Emits the element of a `just`, or nothing for an `empty`, and leaves the completion to the caller.
    ///
    /// Operators such as `flatMap` call it so that they need not start a run for such a sequence.
    ///
    /// - Returns: whether the sequence is one of these two; otherwise nothing was emitted. (``isScalar`` differs: it
    ///   holds for operators on a `just`, too, and not for `empty`.)
    func emitScalar(to sink: Sink<Element>) -> Bool {
        false
    }

    /// Whether a run is at most one element and its end, which ``scalar(into:for:)`` computes inside `subscribe`.
    @usableFromInline var isScalar: Bool { false }

    /// Computes the element of a scalar observable without a chain of sinks. Scalar are `just`, and operators on it
    /// such as `map` and `filter`, which need one element at a time. Called only if ``isScalar``.
    ///
    /// - Parameters:
    ///   - memory: uninitialized memory for the element.
    ///   - live: the run's subscription, which user code may dispose.
    /// - Returns: whether there is an element; `memory` is initialized then.
    /// - Throws: the error that ends the sequence.
    func scalar(into memory: UnsafeMutablePointer<Element>, for live: LiveSubscription) throws -> Bool {
        preconditionFailure("\(type(of: self)) is not scalar")
    }

    /// Starts the run of a scalar observable, which ends inside this call.
    final func runScalar(_ sink: Sink<Element>) -> any Disposable {
        withUnsafeTemporaryAllocation(of: Element.self, capacity: 1) { memory in
            guard let memory = memory.baseAddress else { return }
            do {
                guard try scalar(into: memory, for: sink.live) else { return }
            } catch {
                return sink.error(Hooks.thrown(error, in: tracedOperation ?? .custom))
            }
            sink.next(memory.pointee)
            memory.deinitialize(count: 1)
        }
        if sink.live.isActive { sink.completed() }
        return Disposables.create()
    }
}

/// An alias of ``Observable`` for files that also import the Observation module, which has a protocol of that name.
public typealias RxObservable<Element> = Observable<Element>
