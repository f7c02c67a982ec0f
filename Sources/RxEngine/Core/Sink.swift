/// A sink whose element type is erased.
open class AnySink {
    /// Creates a sink, for subclasses.
    public init() {}

    /// Receives the error that ends the sequence.
    open func error(_ error: any Error) {
        preconditionFailure("\(type(of: self)) does not override error(_:)")
    }

    /// Receives the completion of the sequence.
    open func completed() {
        preconditionFailure("\(type(of: self)) does not override completed()")
    }

    /// Notes that ``Observable/tailRun(_:)`` is about to run an observable into this sink.
    ///
    /// - Parameter endsInTailRun: whether the run of that observable ends in a tail run, too.
    @usableFromInline
    func noteTailRun(endsInTailRun: Bool) {}

    /// The record of the object that this sink belongs to, if subscriptions are recorded.
    @usableFromInline
    var record: SubscriptionRecord? { nil }

    /// Delivers a terminal event to the sink: calls ``error(_:)`` or ``completed()``.
    public final func terminate(with end: Termination) {
        switch end {
        case .error(let error): self.error(error)
        case .completed: completed()
        }
    }
}

/// A receiver of events with one method for each kind, so that no ``Event`` is made on the way.
open class EventReceiver<Element>: AnySink {
    /// Receives an element.
    open func next(_ element: Element) {
        preconditionFailure("\(type(of: self)) does not override next(_:)")
    }

    /// Receives an event of any kind.
    ///
    /// It is inlinable, so that a caller that knows the element type makes and reads the event without a run-time
    /// lookup of its size.
    @inlinable
    public final func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): next(element)
        case .error(let error): self.error(error)
        case .completed: completed()
        }
    }
}

/// A link in the chain of a running subscription.
///
/// Events arrive on any thread, never two at once. A sink that runs user code checks ``LiveSubscription/isActive``
/// afterwards: that code may have disposed the subscription.
open class Sink<Element>: EventReceiver<Element> {
    // Safe although marked unsafe: the boundary retains the subscription, and this sink is the boundary or retains it
    // through its downstream.
    /// The subscription of the chain that this sink is part of.
    public final unowned(unsafe) let live: LiveSubscription
    /// Retains ``live`` in the sink of a boundary.
    private final let owned: LiveSubscription?

    /// Creates the boundary sink of a run, which retains the run's subscription.
    public init(_ live: LiveSubscription) {
        self.live = live
        owned = live
        super.init()
    }

    /// Creates a sink between a source and the boundary, which retains the run's subscription.
    init(within live: LiveSubscription) {
        self.live = live
        owned = nil
        super.init()
    }

    @usableFromInline
    override var record: SubscriptionRecord? { live.record }
}

/// The sink of an operator that forwards the end of its source.
///
/// It overrides ``EventReceiver/next(_:)`` and shares its downstream's subscription.
open class OperatorSink<Input, Output>: Sink<Input> {
    private let ticket: ResourceTicket
    /// The sink that receives the operator's events.
    public final let downstream: Sink<Output>

    /// Creates a sink in front of `downstream`.
    public init(to downstream: Sink<Output>) {
        var downstream = downstream
        ticket = ResourceTicket(running: .custom, into: &downstream)
        self.downstream = downstream
        super.init(within: downstream.live)
    }

    /// Creates a sink in front of `downstream` that ``Resources`` counts as one of `operation`.
    public init(_ operation: Operator, to downstream: Sink<Output>) {
        var downstream = downstream
        ticket = ResourceTicket(running: operation, into: &downstream)
        self.downstream = downstream
        super.init(within: downstream.live)
    }

    /// Creates a sink in front of `downstream` that is recorded under a name of the program's.
    init(_ operation: Operator, named name: String, to downstream: Sink<Output>) {
        var downstream = downstream
        ticket = ResourceTicket(running: operation, into: &downstream, named: name)
        self.downstream = downstream
        super.init(within: downstream.live)
    }

    /// The operator that ``Resources`` counts the sink as; ``Operator/custom`` without the trait `TRACE_RESOURCES`.
    final var operation: Operator { ticket.operation ?? .custom }

    @usableFromInline
    override final var record: SubscriptionRecord? { ticket.record ?? downstream.record }

    /// Forwards the error to the downstream.
    open override func error(_ error: any Error) {
        downstream.error(error)
    }

    /// Forwards completion to the downstream.
    open override func completed() {
        downstream.completed()
    }
}
