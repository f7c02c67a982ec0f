// Unchecked: as its superclass.
/// The sink of an operator with a span of time that starts anew every so often, and something to do when it runs out.
///
/// On a dispatch queue, starting anew is a look at the clock: the timer is left to ring, and then set to what is left.
@usableFromInline
class CountdownSink<Input, Output>: TimedSink<Input, Output>, @unchecked Sendable {
    private let span: RxTimeInterval
    private let mayRingEarly: Bool
    /// When the span last started.
    private var started = Duration.zero
    /// The start that the timer is armed for, while it is.
    private var armedFor: Duration?

    init(_ operation: Operator, to downstream: Sink<Output>, span: RxTimeInterval, on scheduler: any SchedulerType) {
        self.span = span
        mayRingEarly = scheduler.isDispatching
        super.init(operation, to: downstream, on: scheduler)
    }

    /// The span has run out.
    func ranOut() {
        preconditionFailure("\(type(of: self)) does not override ranOut()")
    }

    /// Starts the span anew.
    final func restart() {
        started = scheduler.elapsed
        guard armedFor == nil || !mayRingEarly else { return }
        arm(after: span)
    }

    final override func due() {
        if let armedFor, started > armedFor {
            let left = span.left(since: started, at: scheduler.elapsed)
            if !left.isOver { return arm(after: left) }
        }
        armedFor = nil
        ranOut()
    }

    private func arm(after interval: RxTimeInterval) {
        armedFor = started
        wake(after: interval)
    }
}
