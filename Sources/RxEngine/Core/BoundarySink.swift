/// A sink that owns the subscription to its source, because it may hold back the source's end or has several sources.
///
/// It disposes its source after ``ended(_:)`` has returned. An operator that passes its source's end straight on is an
/// ``OperatorSink`` instead. An operator whose error and completion have nothing in common subclasses ``Sink``, overrides
/// ``AnySink/error(_:)`` and ``AnySink/completed()``, and ends its run by ``LiveSubscription/end(_:)``.
open class BoundarySink<Element>: Sink<Element> {
    /// Creates the boundary sink of the run that `live` belongs to.
    public override init(_ live: LiveSubscription) {
        super.init(live)
    }

    /// Handles the end of the source. Called once, before the source is disposed, and not if it was disposed before.
    ///
    /// - Parameter end: the error, or completion.
    open func ended(_ end: Termination) {
        preconditionFailure("\(type(of: self)) does not override ended(_:)")
    }

    /// Ends the run with an error.
    public final override func error(_ error: any Error) {
        live.fail(error) { ended(.error(error)) }
    }

    /// Ends the run.
    public final override func completed() {
        live.end { ended(.completed) }
    }
}
