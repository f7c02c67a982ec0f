// Unchecked: as its superclass; the lock guards the countdown.
/// The sink of an operator that acts when a time span expires, which restarts repeatedly.
@usableFromInline
class CountdownSink<Input, Output>: TimedSink<Input, Output>, @unchecked Sendable {
    final let lock = Lock()
    @exclusivity(unchecked) final var countdown: Countdown

    init(_ operation: Operator, to downstream: Sink<Output>, span: RxTimeInterval, on scheduler: any SchedulerType) {
        countdown = Countdown(span, mayFireEarly: scheduler.runsInRealTime)
        super.init(operation, to: downstream, on: scheduler)
    }

    /// Restarts the span.
    final func restart() {
        let now = scheduler.elapsed
        arm(lock.locked { countdown.restart(at: now) })
    }

    final func arm(_ timer: Countdown.Timer?) {
        if let timer { startTimer(after: timer.interval, generation: timer.generation) }
    }

    /// Enters the drain only if the span has expired, so that an early or stale timer never makes another thread queue
    /// its events.
    final override func timerFired(_ generation: UInt64) {
        let now = scheduler.elapsed
        switch lock.locked({ countdown.fire(generation, at: now) }) {
        case .stale: break
        case .early(let timer): arm(timer)
        case .expired: super.timerFired(generation)
        }
    }

    /// Handles the expiry of the span. Called inside the drain, unless the span has restarted before the drain was
    /// entered.
    func spanExpired() {
        preconditionFailure("\(type(of: self)) does not override spanExpired()")
    }

    final override func handleTimer(_ generation: UInt64) {
        if lock.locked({ countdown.hasExpired }) { spanExpired() }
    }
}
