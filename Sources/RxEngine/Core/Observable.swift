// Unchecked: subclasses hold their user's closures and elements, whose types the compiler cannot see through.
/// A push-based sequence.
///
/// Making one does no work: each subscription starts a run of its own, unless the observable is a subject or shared.
/// A subclass overrides ``run(_:)``; everything else follows from it.
///
/// An observable is immutable once made, or guards what changes; it may be subscribed to from any thread. The element
/// type is not constrained: whoever sends an element across threads owns the question whether it may be sent.
open class Observable<Element>: ObservableType, @unchecked Sendable {
    private let ticket = ResourceTicket(.observable)

    /// For subclasses.
    public init() {}

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
    public final func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        start { ObserverSink(observer, $0) }
    }

    /// The observable itself.
    public final func asObservable() -> Observable<Element> {
        self
    }

    /// Starts a run into the sink that `makeSink` makes for the new subscription. When that is over and its source
    /// freed, `onDisposed` runs.
    final func start(
        onDisposed: (@Sendable () -> Void)? = nil, _ makeSink: (LiveSubscription) -> Sink<Element>
    ) -> LiveSubscription {
        let live = LiveSubscription()
        let sink = makeSink(live)
        func begin() {
            let source = run(sink)
            live.attach(onDisposed.map { Disposables.create(source, Disposables.create(with: $0)) } ?? source)
        }
        if startsOnTrampoline { Trampoline.enter(begin) } else { begin() }
        return live
    }
}

/// Another name for ``Observable``, for files that also import the Observation module, whose protocol has that name.
public typealias RxObservable<Element> = Observable<Element>
