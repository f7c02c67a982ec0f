/// A sink that reacts to the first element, or to the error, of another sequence.
protocol TriggerTarget: AnyObject {
    func triggered()
    func triggerFailed(_ error: any Error)
}

/// The sink of the other sequence of a ``TriggerTarget``. It ignores completion without an element.
final class TriggerSink<Element>: BoundarySink<Element> {
    private let target: any TriggerTarget

    init(_ live: LiveSubscription, for target: any TriggerTarget) {
        self.target = target
        super.init(live)
    }

    override func next(_ element: Element) {
        live.end { target.triggered() }
    }

    override func ended(_ end: Termination) {
        if case .error(let error) = end { target.triggerFailed(error) }
    }
}
