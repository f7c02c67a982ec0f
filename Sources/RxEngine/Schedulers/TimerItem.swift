// Unchecked: the timer queue's lock guards the heap index and a timer's `ticket`.
/// An item that a ``TimerQueue`` fires.
package class TimerItem: @unchecked Sendable {
    /// The timer queue, or `nil` if the item is not a timer.
    let timers: TimerQueue?
    /// The nanoseconds from one firing to the next; 0 fires once.
    let period: UInt64
    /// A timer has a ticket while it is armed.
    var ticket: ResourceTicket?
    /// The index in the timer queue's heap; negative if the item is not in the heap.
    var heapIndex = -1

    init(_ kind: Resources.Kind, timers: TimerQueue?, period: UInt64) {
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
