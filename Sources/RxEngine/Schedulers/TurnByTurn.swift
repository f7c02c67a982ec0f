// Unchecked: the turns follow one another, each scheduled by the one before.
/// Work done in turns, between which a scheduler may do other work.
class TurnByTurn: TrampolineItem, @unchecked Sendable {
    /// Does one turn.
    ///
    /// - Returns: whether there is another.
    func turn() -> Bool {
        preconditionFailure("\(type(of: self)) does not override turn()")
    }

    /// Turns on the current thread: a loop, for as long as nothing else waits for its turn.
    final func run() {
        let thread = ThreadState.current
        while turn() {
            if thread.pointee.trampoline.hasWork { return thread.pointee.trampoline.enqueue(self) }
        }
    }

    /// Turns on a scheduler.
    final func schedule(on scheduler: any ImmediateSchedulerType) -> any Disposable {
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
                if self.turn() { self.schedule(on: scheduler, next) }
                return Disposables.create()
            }
        }
    }
}
