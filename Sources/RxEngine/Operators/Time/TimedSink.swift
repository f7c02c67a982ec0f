import Dispatch

// Unchecked: it changes only inside the drain, or as its subclass says.
/// The sink of an operator with one source and timers. Its drain serializes the events of both, whichever threads emit
/// them.
@usableFromInline
class TimedSink<Input, Output>: BoundarySink<Input>, TimerTarget, @unchecked Sendable {
    private let ticket: ResourceTicket
    final let drain = SerializedDrain()
    private let timer = SerialDisposable()
    final let downstream: Sink<Output>
    final let scheduler: any SchedulerType

    init(_ operation: Operator, to downstream: Sink<Output>, on scheduler: any SchedulerType) {
        var downstream = downstream
        ticket = ResourceTicket(running: operation, into: &downstream)
        self.downstream = downstream
        self.scheduler = scheduler
        super.init(LiveSubscription(in: ticket))
    }

    /// Stops the source and the timer.
    final var disposable: any Disposable { Disposables.create(live, timer) }

    /// Starts a run of the source.
    ///
    /// - Returns: the disposable that stops the source and the timer.
    @usableFromInline
    func start(_ source: Observable<Input>) -> any Disposable {
        live.attach(source.run(self))
        return disposable
    }

    /// Handles an element, inside the drain.
    func receive(_ element: Input) {
        preconditionFailure("\(type(of: self)) does not override receive(_:)")
    }

    /// Handles the end of the source, inside the drain.
    func end(_ end: Termination) {
        if downstream.live.isActive { downstream.terminate(with: end) } else { Hooks.dropped(end) }
    }

    /// Handles the firing of a timer that ``startTimer(after:generation:)`` armed, inside the drain.
    func handleTimer(_ generation: UInt64) {
        preconditionFailure("\(type(of: self)) does not override handleTimer(_:)")
    }

    /// Arms a timer and disposes the previous one. The previous timer may already be firing on another thread: its
    /// generation shows that it is stale.
    final func startTimer(after interval: RxTimeInterval, generation: UInt64) {
        let target: any TimerTarget = self
        timer.hold {
            scheduler.scheduleRelative(generation, dueTime: interval) {
                if BlockingWatch.isOn { target.noteWatched() }
                target.timerFired($0)
                return Disposables.create()
            }
        }
    }

    final func noteWatched() {
        BlockingWatch.note(ticket.operation ?? .custom, ticket.record)
    }

    /// Enters the drain when a timer has fired.
    func timerFired(_ generation: UInt64) {
        guard drain.enter() else { return drain.post { self.handleTimer(generation) } }
        handleTimer(generation)
        drain.leave()
    }

    /// Whether the operator's elements still reach a subscriber. Read inside the drain.
    var isActive: Bool { downstream.live.isActive }

    /// Runs `other` in place of the source, which the caller has disposed.
    final func switchToSource(_ other: Observable<Output>) {
        let handle = SingleAssignmentDisposable()
        timer.disposable = handle
        other.startNow(into: downstream, handle.setDisposable)
    }

    @usableFromInline
    override func next(_ element: Input) {
        guard live.isActive else { return }
        guard drain.enter() else { return drain.post { self.receiveInside(element) } }
        receiveInside(element)
        drain.leave()
    }

    /// Called inside the drain.
    private func receiveInside(_ element: Input) {
        receive(element)
        // Downstream disposes the source itself, but not during its own subscribe call, when it has no disposable yet.
        if !isActive { live.dispose() }
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        drain.run { self.end(end) }
    }
}

/// The receiver of a timer, with the element's type erased: the timer's closure is `@Sendable`, and the element's type
/// may not be.
protocol TimerTarget: Sendable {
    func timerFired(_ generation: UInt64)
    /// Names the operator to ``BlockingWatch``.
    func noteWatched()
}

extension RxTimeInterval {
    /// The rest of a span that began at `start`; zero or negative if the span has passed.
    func remaining(since start: Duration, at now: Duration) -> RxTimeInterval {
        guard let span = nanoseconds else { return .never }
        let (remaining, overflow) = span.subtractingReportingOverflow((now - start).nanoseconds)
        return overflow ? self : .nanoseconds(Int(remaining))
    }

    /// Whether the rest of a span is zero or negative.
    var hasPassed: Bool { nanoseconds.map { $0 <= 0 } ?? false }
}

extension ImmediateSchedulerType {
    /// Whether the scheduler runs its actions on a dispatch queue or an executor and its clock runs by itself: one action
    /// may deliver several events, and a timer may fire early and be set again. On other schedulers, such as those in
    /// virtual time, each event has its own action.
    var runsInRealTime: Bool {
        self is SerialDispatchQueueScheduler || self is ConcurrentDispatchQueueScheduler
            || self is ConcurrentMainScheduler || self is ExecutorScheduler
    }
}

extension Observable {
    /// Starts a run from a scheduler's action, unless the sequence has ended or was disposed.
    ///
    /// - Parameter attach: receives the disposable that stops the run, before a source that is queued on the trampoline
    ///   emits anything. Otherwise such a source could not be stopped, since the trampoline is empty when this returns.
    func startNow(into sink: Sink<Element>, _ attach: (any Disposable) -> Void) {
        guard sink.live.isActive else { return }
        if startsOnTrampoline { Trampoline.enter { attach(run(sink)) } } else { attach(run(sink)) }
    }
}
