// Unchecked: subclasses hold their user's closures and elements, whose types the compiler cannot see through.
/// A push-based sequence.
///
/// Making one does no work: each subscription starts a run of its own, unless the observable is a subject or shared.
/// A subclass overrides ``run(_:)``; everything else follows from it.
///
/// An observable is immutable once made, or guards what changes; it may be subscribed to from any thread. The element
/// type is not constrained: whoever sends an element across threads owns the question whether it may be sent.
open class Observable<Element>: ObservableType, @unchecked Sendable {
    private let ticket: ResourceTicket

    /// For subclasses, which may say what they are counted as.
    public init(_ operation: Operator = .custom) {
        ticket = ResourceTicket(of: operation)
    }

    /// How many observables it is made of, one upon the other, as far as that is known; see ``Upstream``.
    var depth: UInt32 { 0 }

    /// Starts one run of the sequence into `sink`, which is not called again once the returned disposable is disposed
    /// or the run has ended.
    ///
    /// Called once for every subscription, inside the current thread's trampoline (see ``startsOnTrampoline``).
    open func run(_ sink: Sink<Element>) -> any Disposable {
        preconditionFailure("\(type(of: self)) does not override run(_:)")
    }

    /// Whether an outermost subscription first enters the ``CurrentThreadScheduler``. Sources that emit inside
    /// `subscribe`, such as `just`, and hot ones have no need to.
    open var startsOnTrampoline: Bool { true }

    /// Starts a run of the sequence for `observer`.
    @inlinable
    public final func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        let live = LiveSubscription()
        start(ObserverSink(observer, live) { observer, element in observer.onNext(element) }, live)
        return live
    }

    /// The observable itself.
    @inlinable
    public final func asObservable() -> Observable<Element> {
        self
    }

    /// Starts a run into `sink`, the end of `live`'s chain. When that is over and its source freed, `onDisposed` runs.
    @usableFromInline
    final func start(
        _ sink: Sink<Element>, _ live: LiveSubscription, onDisposed: (@Sendable () -> Void)? = nil
    ) {
        if startsOnTrampoline {
            Trampoline.enter { run(sink, live, onDisposed) }
        } else {
            run(sink, live, onDisposed)
        }
    }

    private final func run(_ sink: Sink<Element>, _ live: LiveSubscription, _ onDisposed: (@Sendable () -> Void)?) {
        if let onDisposed {
            live.attach(Disposables.create(run(sink), Disposables.create(with: onDisposed)))
        } else {
            live.attach(run(sink))
        }
    }

    /// Whether the last thing it does with the sink of a run is to run another observable into it, if it does that at
    /// all.
    var handsSinkOn: Bool { false }

    /// Runs it as the last thing that an operator with ``handsSinkOn`` does with its sink.
    @usableFromInline
    final func runLast(_ sink: Sink<Element>) -> any Disposable {
        sink.isHandedOn(to: handsSinkOn)
        return run(sink)
    }

    /// Does what comes before the sequence that runs in this one's place, and hands that over; see ``Prelude``.
    ///
    /// - Returns: whether it is such an observable. `next` is `nil` then where there is nothing to run.
    func play(to sink: Sink<Element>, _ next: inout AnyObject?) -> Bool {
        false
    }

    /// The observable as a step of a trait's run; see ``TraitMapping``.
    var traitStep: (any TraitStep)? { nil }

    /// Emits the element to `sink` and returns `true`, if the sequence is one element and its end, or its end alone.
    /// Operators that subscribe to what their user makes for each element need not start a run for it.
    func tellOnly(to sink: Sink<Element>) -> Bool {
        false
    }

    /// Whether a run is one element at most and its end, found out inside `subscribe` by ``only(into:for:)``.
    @usableFromInline var isOnly: Bool { false }

    /// Where ``isOnly``, finds out the element, which takes no chain of sinks: a `just`, and operators upon it that
    /// look at one element at a time.
    ///
    /// - Returns: whether there is one; `memory` holds it then.
    func only(into memory: UnsafeMutablePointer<Element>, for live: LiveSubscription) throws -> Bool {
        preconditionFailure("\(type(of: self)) is not one element")
    }

    /// A run where ``isOnly``.
    final func runOnly(_ sink: Sink<Element>) -> any Disposable {
        withUnsafeTemporaryAllocation(of: Element.self, capacity: 1) { memory in
            guard let memory = memory.baseAddress else { return }
            do {
                guard try only(into: memory, for: sink.live) else { return }
            } catch {
                return sink.error(error)
            }
            sink.next(memory.pointee)
            memory.deinitialize(count: 1)
        }
        if sink.live.isActive { sink.completed() }
        return Disposables.create()
    }
}

/// Another name for ``Observable``, for files that also import the Observation module, whose protocol has that name.
public typealias RxObservable<Element> = Observable<Element>
