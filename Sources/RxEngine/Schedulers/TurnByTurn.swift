// Unchecked: the turns follow one another, each scheduled by the one before.
/// Work done in turns, between which a scheduler may do other work.
@usableFromInline
final class TurnByTurn: TrampolineItem, @unchecked Sendable {
    private let live: LiveSubscription
    private let turn: () -> Bool

    /// Work for as long as `live` is active and `turn`, which does one turn, says that there is another.
    @usableFromInline
    init(for live: LiveSubscription, _ turn: @escaping () -> Bool) {
        self.live = live
        self.turn = turn
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
            ThreadState.current.pointee.trampoline.enqueue(self)
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

extension Observable {
    /// An observable that does one turn after another on `scheduler`. Each run's turns are what `makeTurn` makes for it:
    /// a closure that does one turn, with a state of its own, and says whether there is another.
    ///
    /// The closure is made by the caller's code, which knows the element's type, so that it is compiled for it.
    @inlinable
    static func turns(
        _ operation: Operator, on scheduler: any ImmediateSchedulerType,
        _ makeTurn: @escaping (Sink<Element>) -> () -> Bool
    ) -> Observable<Element> {
        .source(operation) { sink in TurnByTurn(for: sink.live, makeTurn(sink)).schedule(on: scheduler) }
    }
}
