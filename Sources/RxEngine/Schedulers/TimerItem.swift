// Unchecked: the lock of the timer's owner guards the heap index and a timer's `ticket`.
/// An item that a ``TimerOwner`` fires, such as a ``TimerQueue``.
package class TimerItem: @unchecked Sendable {
    /// The owner of the timer, or `nil` if the item is not a timer.
    let timers: TimerOwner?
    /// The nanoseconds from one firing to the next; 0 fires once.
    let period: UInt64
    /// A timer has a ticket while it is armed.
    var ticket: ResourceTicket?
    /// The index in the owner's heap; negative if the item is not in the heap.
    var heapIndex = -1

    init(_ kind: Resources.Kind, timers: TimerOwner?, period: UInt64) {
        ticket = ResourceTicket(kind)
        self.timers = timers
        self.period = period
    }

    var isArmed: Bool {
        switch ticket {
        case .none: false
        case .some: true
        }
    }

    func fire() {
        preconditionFailure("\(type(of: self)) does not override fire()")
    }
}
