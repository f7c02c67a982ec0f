/// The boundary sink of a connection's run, which delivers the events of the source to the subscribers.
class ConnectionSink<Element>: BoundarySink<Element> {
    private let connection: Connection
    private let slot: ConnectionSlot

    init(_ connection: Connection, _ slot: ConnectionSlot) {
        self.connection = connection
        self.slot = slot
        super.init(connection.live)
    }

    /// Delivers an element to the subscribers.
    func deliver(_ element: Element) {
        preconditionFailure("\(type(of: self)) does not override deliver(_:)")
    }

    /// Delivers the terminal event to the subscribers.
    ///
    /// - Parameters:
    ///   - end: the terminal event.
    ///   - close: closes the connection, so that later subscribers start the next run. Called once, as soon as the next
    ///     run can no longer deliver to the subscribers that receive this event.
    func deliver(_ end: Termination, close: () -> Void) {
        preconditionFailure("\(type(of: self)) does not override deliver(_:close:)")
    }

    override final func next(_ element: Element) {
        guard live.isActive else { return }
        deliver(element)
        connection.checkInitiator(slot)
    }

    override final func ended(_ end: Termination) {
        deliver(end) { slot.close(connection) }
    }
}
