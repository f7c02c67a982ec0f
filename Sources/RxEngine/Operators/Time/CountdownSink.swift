// Unchecked: as its superclass; the countdown is behind the lock.
/// The sink of an operator with a span of time that starts anew every so often, and something to do when it runs out.
@usableFromInline
class CountdownSink<Input, Output>: TimedSink<Input, Output>, @unchecked Sendable {
    final let lock = Lock()
    @exclusivity(unchecked) final var countdown: Countdown

    init(_ operation: Operator, to downstream: Sink<Output>, span: RxTimeInterval, on scheduler: any SchedulerType) {
        countdown = Countdown(span, mayRingEarly: scheduler.isDispatching)
        super.init(operation, to: downstream, on: scheduler)
    }

    /// Starts the span anew.
    final func restart() {
        let now = scheduler.elapsed
        arm(lock.locked { countdown.restart(at: now) })
    }

    final func arm(_ timer: Countdown.Timer?) {
        if let timer { wake(after: timer.interval, timer.number) }
    }

    /// Stays outside the gate where there is nothing to tell: nobody is kept from telling something himself.
    final override func wake(_ timer: UInt64) {
        let now = scheduler.elapsed
        switch lock.locked({ countdown.ring(timer, at: now) }) {
        case .outdated: break
        case .early(let timer): arm(timer)
        case .over: super.wake(timer)
        }
    }

    /// Inside the gate, unless the span has started anew on the way there.
    func ranOut() {
        preconditionFailure("\(type(of: self)) does not override ranOut()")
    }

    final override func due(_ timer: UInt64) {
        if lock.locked({ countdown.isOver }) { ranOut() }
    }
}
