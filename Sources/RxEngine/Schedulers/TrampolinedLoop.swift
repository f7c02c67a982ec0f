// Unchecked: the steps follow one another; each one is scheduled by the one before.
/// A loop whose steps yield to other work of a scheduler.
@usableFromInline
class AnyTrampolinedLoop: TrampolineItem, @unchecked Sendable {
    private let live: LiveSubscription

    /// Creates a loop that runs while `live` is active and ``step()`` returns `true`.
    init(for live: LiveSubscription) {
        self.live = live
    }

    /// Runs one step.
    ///
    /// - Returns: whether another step follows.
    func step() -> Bool {
        preconditionFailure("\(type(of: self)) does not override step()")
    }

    /// Runs the steps on the current thread, and yields to the trampoline when other work is queued there.
    func run() {
        let thread = ThreadState.current
        while live.isActive, step() {
            if thread.pointee.trampoline.hasWork { return thread.pointee.trampoline.enqueue(self) }
        }
    }

    /// Runs the steps on `scheduler`, each as an action of its own.
    @usableFromInline
    func schedule(on scheduler: any ImmediateSchedulerType) -> any Disposable {
        if scheduler is CurrentThreadScheduler {
            // If the thread is not inside its trampoline, all steps have run when this returns.
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
                if self.live.isActive, self.step(), self.live.isActive { self.schedule(on: scheduler, next) }
                return Disposables.create()
            }
        }
    }
}

// Unchecked: as its superclass.
/// A loop whose step is a function of a state. If that is a closure without captures, the loop is one object.
@usableFromInline
final class TrampolinedLoop<State>: AnyTrampolinedLoop, @unchecked Sendable {
    @exclusivity(unchecked) private var state: State
    private let next: (inout State) -> Bool

    @usableFromInline
    init(for live: LiveSubscription, _ state: State, _ next: @escaping (inout State) -> Bool) {
        self.state = state
        self.next = next
        super.init(for: live)
    }

    override func step() -> Bool {
        next(&state)
    }
}

// Unchecked: immutable; the seed holds an operator's closures, which are `@Sendable`.
/// A source that runs a loop on a scheduler for each subscription.
@usableFromInline
final class TrampolinedObservable<Element, Seed>: Observable<Element>, @unchecked Sendable {
    private let scheduler: any ImmediateSchedulerType
    private let seed: Seed
    private let makeLoop: (Seed, Sink<Element>) -> AnyTrampolinedLoop

    @usableFromInline
    init(
        _ operation: Operator, on scheduler: any ImmediateSchedulerType, _ seed: Seed,
        _ makeLoop: @escaping (Seed, Sink<Element>) -> AnyTrampolinedLoop
    ) {
        self.scheduler = scheduler
        self.seed = seed
        self.makeLoop = makeLoop
        super.init(operation)
    }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        makeLoop(seed, sink).schedule(on: scheduler)
    }
}

extension Observable {
    /// Creates an observable that runs one loop on `scheduler` for each subscription, which `makeLoop` creates from
    /// `seed`.
    ///
    /// The caller's code creates the ``TrampolinedLoop``: it knows the element's type, so that the loop is specialized
    /// for it. With a `makeLoop` that captures nothing, the observable is one object.
    @inlinable
    static func loop<Seed>(
        _ operation: Operator, on scheduler: any ImmediateSchedulerType, _ seed: Seed,
        _ makeLoop: @escaping (Seed, Sink<Element>) -> AnyTrampolinedLoop
    ) -> Observable<Element> {
        TrampolinedObservable(operation, on: scheduler, seed, makeLoop)
    }
}
