/// A sink of whatever type of element.
open class AnySink {
    /// For subclasses.
    public init() {}

    /// Takes the error that ends the sequence.
    open func error(_ error: any Error) {
        preconditionFailure("\(type(of: self)) does not override error(_:)")
    }

    /// Takes the end of the sequence.
    open func completed() {
        preconditionFailure("\(type(of: self)) does not override completed()")
    }

    /// What is being run into the sink runs something else into it as the last thing that it does.
    ///
    /// - Parameter goesOn: whether that does likewise.
    @usableFromInline
    func isHandedOn(to goesOn: Bool) {}

    final func stop(with end: Termination) {
        switch end {
        case .error(let error): self.error(error)
        case .completed: completed()
        }
    }
}

/// What takes the three kinds of event, one method each, so that no ``Event`` is made on the way.
open class EventReceiver<Element>: AnySink {
    /// Takes an element.
    open func next(_ element: Element) {
        preconditionFailure("\(type(of: self)) does not override next(_:)")
    }

    /// Takes any event.
    ///
    /// It is inlinable, so that a caller that knows the type of the elements makes and reads the event without asking
    /// the runtime how large it is.
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
/// Events arrive one after the other, never two at once. A sink that runs its user's code checks ``LiveSubscription``
/// afterwards: that code may have disposed the subscription.
open class Sink<Element>: EventReceiver<Element> {
    // Unsafe in name only: whoever made the subscription holds it, and that is this sink or one that this one holds.
    /// The subscription that this sink is part of.
    public final unowned(unsafe) let live: LiveSubscription
    private final let owned: LiveSubscription?

    /// The sink at the end of the run that `live` stands for.
    public init(_ live: LiveSubscription) {
        self.live = live
        owned = live
        super.init()
    }

    /// Ends the run that this sink is the end of: `tell` is called unless it was over, and then the source is freed.
    @inline(__always)
    final func end(_ tell: () -> Void) {
        guard let owned, owned.end() else { return }
        tell()
        owned.dispose()
    }

    /// A sink of a run whose end holds its subscription.
    init(within live: LiveSubscription) {
        self.live = live
        owned = nil
        super.init()
    }
}

/// The sink of an operator that passes its source's end straight on: it overrides ``EventReceiver/next(_:)`` and
/// shares its downstream's subscription.
open class OperatorSink<Input, Output>: Sink<Input> {
    private let ticket: ResourceTicket
    /// Where the operator's own events go.
    public final let downstream: Sink<Output>

    /// A link in front of `downstream`.
    public init(to downstream: Sink<Output>) {
        ticket = ResourceTicket(running: .custom)
        self.downstream = downstream
        super.init(within: downstream.live)
    }

    /// A link in front of `downstream`, counted as one of `operation`.
    public init(_ operation: Operator, to downstream: Sink<Output>) {
        ticket = ResourceTicket(running: operation)
        self.downstream = downstream
        super.init(within: downstream.live)
    }

    /// Passes the error on.
    open override func error(_ error: any Error) {
        downstream.error(error)
    }

    /// Passes the end on.
    open override func completed() {
        downstream.completed()
    }
}
