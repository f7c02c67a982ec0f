// Unchecked: `place` and a timer's `ticket` are guarded by its queue's lock.
/// What a ``TimerQueue`` fires.
package class TimerItem: @unchecked Sendable {
    /// The queue, where this is a timer.
    let timers: TimerQueue?
    /// The nanoseconds from one firing to the next; 0 fires once.
    let period: UInt64
    /// A timer has its own while it is armed.
    var ticket: ResourceTicket?
    /// Where it is in its queue's heap; negative where it is not.
    var place = -1

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
