import RxEngine
import Synchronization

/// Barriers in the changes of a subscriber: each is emitted behind the changes from before it.
extension FileRun {
    /// A barrier that waits for changes that have not settled.
    struct WaitingBarrier {
        let barrier: SyncBarrier
        /// The paths whose changes have not settled since; `nil` before the kernel's events up to the barrier are
        /// handled.
        var paths: Set<BytePath>?
    }

    /// Emits a barrier when all changes up to now are emitted. Can be called on any thread.
    func pass(_ barrier: SyncBarrier) {
        perform { [self] in
            guard !isStopped.load(ordering: .acquiring), !core.handoverState.isOver else { return }
            barriers.append(WaitingBarrier(barrier: barrier))
            core.hasBarriers = true
            core.beginMoment()
            for root in roots { core.roots[root].map { if $0.isPolled { $0.pollAgain() } } }
            core.readNow()
            passBarriers()
        }
    }

    /// Emits the barriers whose changes are emitted.
    func passBarriers() {
        if barriers.isEmpty { return }
        barriers.removeAll(where: \.barrier.isCancelled)
        guard !barriers.isEmpty, core.hasHandledAllEvents, !isBehind else { return }
        let unsettled = settleTimer?.paths ?? []
        for index in barriers.indices {
            barriers[index].paths = barriers[index].paths?.intersection(unsettled) ?? unsettled
        }
        let passed = barriers.filter { $0.paths?.isEmpty ?? false }
        barriers.removeAll { $0.paths?.isEmpty ?? false }
        if isStopped.load(ordering: .acquiring) { return }
        for waiting in passed { observer.onNext(.barrier(waiting.barrier)) }
    }
}

extension FileWatcherCore {
    /// Emits the barriers of all runs whose changes are emitted.
    func passBarriers() {
        guard hasBarriers else { return }
        let runs = handoverState.runs.compactMap(\.run)
        for run in runs { run.passBarriers() }
        hasBarriers = runs.contains { !$0.barriers.isEmpty }
    }
}
