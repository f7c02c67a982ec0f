/// What waits for another sequence to tell an element.
protocol TriggerTarget: AnyObject {
    func triggered()
    func triggerFailed(_ error: any Error)
}

/// The sink of a sequence whose first element sets something off. Its end without one means nothing.
final class TriggerSink<Element>: Sink<Element> {
    private let target: any TriggerTarget

    init(_ live: LiveSubscription, for target: any TriggerTarget) {
        self.target = target
        super.init(live)
    }

    override func next(_ element: Element) {
        guard live.end() else { return }
        target.triggered()
        live.dispose()
    }

    override func error(_ error: any Error) {
        guard live.end() else { return }
        target.triggerFailed(error)
        live.dispose()
    }

    override func completed() {
        if live.end() { live.dispose() }
    }
}
