import Dispatch

// Unchecked: it changes inside the gate, or as its subclass says.
/// The sink of an operator with one source and timers. Events of both are let in one after the other, whichever threads
/// they come from.
@usableFromInline
class TimedSink<Input, Output>: Sink<Input>, Sleeper, @unchecked Sendable {
    private let ticket: ResourceTicket
    final let gate = Gate()
    private let timer = SerialDisposable()
    final let downstream: Sink<Output>
    final let scheduler: any SchedulerType

    init(_ operation: Operator, to downstream: Sink<Output>, on scheduler: any SchedulerType) {
        ticket = ResourceTicket(running: operation)
        self.downstream = downstream
        self.scheduler = scheduler
        super.init(LiveSubscription())
    }

    /// What stops the source and the timer.
    final var disposable: any Disposable { Disposables.create(live, timer) }

    /// Starts a run of the source.
    @usableFromInline
    func start(_ source: Observable<Input>) -> any Disposable {
        live.attach(source.run(self))
        return disposable
    }

    /// Takes an element, inside the gate.
    func take(_ element: Input) {
        preconditionFailure("\(type(of: self)) does not override take(_:)")
    }

    /// Takes the source's end, inside the gate.
    func end(_ end: Termination) {
        if downstream.live.isActive { downstream.stop(with: end) }
    }

    /// Takes what ``wake(after:_:)`` waited for, inside the gate.
    func due(_ timer: UInt64) {
        preconditionFailure("\(type(of: self)) does not override due(_:)")
    }

    /// Has the sink woken after `interval`, and the timer before forgotten. One that is ringing at this moment may yet
    /// come: the sink tells them apart by their numbers.
    final func wake(after interval: RxTimeInterval, _ number: UInt64) {
        let sleeper: any Sleeper = self
        timer.hold {
            scheduler.scheduleRelative(number, dueTime: interval) {
                sleeper.wake($0)
                return Disposables.create()
            }
        }
    }

    /// A timer has rung.
    func wake(_ timer: UInt64) {
        guard gate.enter() else { return gate.post { self.due(timer) } }
        due(timer)
        gate.leave()
    }

    /// Whether anything still takes the operator's elements. Asked inside the gate.
    var isWanted: Bool { downstream.live.isActive }

    /// Runs `other` in the source's place, which has to be disposed.
    final func goOn(with other: Observable<Output>) {
        let handle = SingleAssignmentDisposable()
        timer.disposable = handle
        other.startNow(into: downstream, handle.setDisposable)
    }

    @usableFromInline
    override func next(_ element: Input) {
        guard live.isActive else { return }
        guard gate.enter() else { return gate.post { self.takeIfWanted(element) } }
        takeIfWanted(element)
        gate.leave()
    }

    /// Called inside the gate.
    private func takeIfWanted(_ element: Input) {
        take(element)
        // Downstream frees the source by itself, but while it still subscribes it cannot know it.
        if !isWanted { live.dispose() }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        guard live.end() else { return }
        gate.pass { self.end(.error(error)) }
        live.dispose()
    }

    @usableFromInline
    override func completed() {
        guard live.end() else { return }
        gate.pass { self.end(.completed) }
        live.dispose()
    }
}

/// What a timer wakes: its closure must not know the element's type, which may not be sent.
protocol Sleeper: Sendable {
    func wake(_ timer: UInt64)
}

extension RxTimeInterval {
    /// What is left of a span that began at `start`; not positive when it is over.
    func left(since start: Duration, at now: Duration) -> RxTimeInterval {
        guard let span = nanoseconds else { return .never }
        let (left, overflow) = span.subtractingReportingOverflow((now - start).nanoseconds)
        return overflow ? self : .nanoseconds(Int(left))
    }

    var isOver: Bool { nanoseconds.map { $0 <= 0 } ?? false }
}

extension ImmediateSchedulerType {
    /// Whether the scheduler is one of those on dispatch queues, whose clock goes by itself: several events may share a
    /// turn there, and a timer may look again when it rings. On others, such as virtual ones, each has its own.
    var isDispatching: Bool {
        self is SerialDispatchQueueScheduler || self is ConcurrentDispatchQueueScheduler
            || self is ConcurrentMainScheduler
    }
}

extension Observable {
    /// Starts a run from a scheduler's action, unless the sequence is over.
    ///
    /// - Parameter attach: takes what stops the run, before a source that waits on the trampoline emits anything: it
    ///   could not be stopped otherwise, since the trampoline is empty when this returns.
    func startNow(into sink: Sink<Element>, _ attach: (any Disposable) -> Void) {
        guard sink.live.isActive else { return }
        if startsOnTrampoline { Trampoline.enter { attach(run(sink)) } } else { attach(run(sink)) }
    }
}
