// Unchecked: the turns follow one another, each scheduled by the one before.
/// Work done in turns, between which a scheduler may do other work.
@usableFromInline
class TurnByTurn: TrampolineItem, @unchecked Sendable {
    private let live: LiveSubscription

    /// Work for as long as `live` is active and ``turn()`` says that there is another turn.
    init(for live: LiveSubscription) {
        self.live = live
    }

    /// Does one turn.
    ///
    /// - Returns: whether there is another.
    func turn() -> Bool {
        preconditionFailure("\(type(of: self)) does not override turn()")
    }

    /// Turns on the current thread: a loop, for as long as nothing else waits for its turn.
    func run() {
        let thread = ThreadState.current
        while live.isActive, turn() {
            if thread.pointee.trampoline.hasWork { return thread.pointee.trampoline.enqueue(self) }
        }
    }

    /// Turns on a scheduler.
    @usableFromInline
    func schedule(on scheduler: any ImmediateSchedulerType) -> any Disposable {
        if scheduler is CurrentThreadScheduler {
            // Off the trampoline, the turns are over when this returns.
            Trampoline.enter { ThreadState.current.pointee.trampoline.enqueue(self) }
            return Disposables.create()
        }
        let next = SerialDisposable()
        schedule(on: scheduler, next)
        return next
    }

    private func schedule(on scheduler: any ImmediateSchedulerType, _ next: SerialDisposable) {
        next.hold {
            scheduler.schedule(()) {
                if self.live.isActive, self.turn(), self.live.isActive { self.schedule(on: scheduler, next) }
                return Disposables.create()
            }
        }
    }
}

// Unchecked: see above.
/// Work whose turns are one function of a state. Where that is a closure that captures nothing, the work is one object.
@usableFromInline
final class Turns<State>: TurnByTurn, @unchecked Sendable {
    @exclusivity(unchecked) private var state: State
    private let next: (inout State) -> Bool

    @usableFromInline
    init(for live: LiveSubscription, _ state: State, _ next: @escaping (inout State) -> Bool) {
        self.state = state
        self.next = next
        super.init(for: live)
    }

    override func turn() -> Bool {
        next(&state)
    }
}

// Unchecked: immutable; the seed is an operator's, whose closures are `@Sendable`.
/// A source whose runs are work done in turns on a scheduler.
@usableFromInline
final class TurnsObservable<Element, Seed>: Observable<Element>, @unchecked Sendable {
    private let scheduler: any ImmediateSchedulerType
    private let seed: Seed
    private let makeTurns: (Seed, Sink<Element>) -> TurnByTurn

    @usableFromInline
    init(
        _ operation: Operator, on scheduler: any ImmediateSchedulerType, _ seed: Seed,
        _ makeTurns: @escaping (Seed, Sink<Element>) -> TurnByTurn
    ) {
        self.scheduler = scheduler
        self.seed = seed
        self.makeTurns = makeTurns
        super.init(operation)
    }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        makeTurns(seed, sink).schedule(on: scheduler)
    }
}

extension Observable {
    /// An observable that does one turn after another on `scheduler`. Each run's turns are what `makeTurns` makes of
    /// the seed for it.
    ///
    /// ``Turns`` are made by the caller's code, which knows the element's type, so that they are compiled for it; with
    /// a `makeTurns` that captures nothing, the observable is one object.
    @inlinable
    static func turns<Seed>(
        _ operation: Operator, on scheduler: any ImmediateSchedulerType, _ seed: Seed,
        _ makeTurns: @escaping (Seed, Sink<Element>) -> TurnByTurn
    ) -> Observable<Element> {
        TurnsObservable(operation, on: scheduler, seed, makeTurns)
    }
}
