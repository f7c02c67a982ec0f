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
    /// The subscription that this sink is part of.
    public let live: LiveSubscription

    /// A sink of the run that `live` stands for.
    public init(_ live: LiveSubscription) {
        self.live = live
        super.init()
    }
}

/// The sink of an operator that passes its source's end straight on: it overrides ``EventReceiver/next(_:)`` and
/// shares its downstream's subscription.
open class OperatorSink<Input, Output>: Sink<Input> {
    /// Where the operator's own events go.
    public let downstream: Sink<Output>

    /// A link in front of `downstream`.
    public init(to downstream: Sink<Output>) {
        self.downstream = downstream
        super.init(downstream.live)
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
