import RxEngine
import Synchronization

/// Moving a run between cores, when a file system that may block is mounted or unmounted that its request accesses.
extension FileRun {
    /// Starts the run, and then calls `armed`.
    func begin(_ armed: OnceWithTimeout) {
        limitWait(armed)
        perform { [self] in
            let core = core
            // The core was chosen for the state that it has, or the mounts have changed since.
            if changeCore() {
                left = left ?? core.release(request, position?.log) ?? position.flatMap { core.release(runAt: $0) }
                return begin(armed)
            }
            acknowledgeAlarm = OneShotTimer(on: core.queue)
            start()
            onCore(core) { [self] in completeStart(armed) }
        }
    }

    private func completeStart(_ armed: OnceWithTimeout) {
        let core = core
        // Let the run that this one replaces handle the changes up to now, too.
        if !core.handoverState.isQueueUnread { core.readNow() }
        onCore(core) { [self] in
            takeOverEmitting()
            if !self.core.handoverState.isQueueUnread { finishResuming() }
            armed()
        }
    }

    /// Calls `body` at once if the run is still on `core`, whose queue this is. Whatever checks the mounts may have
    /// moved the run: then calls it on the queue of its new core, after the move.
    func onCore(_ core: FileWatcherCore, _ body: @escaping @Sendable () -> Void) {
        if self.core === core { body() } else { perform(body) }
    }

    /// Moves the run, with its changes that are not emitted yet, if its request needs another core by now. The changes
    /// until it is watched there are found by a comparison.
    func moveIfNeeded() {
        let (before, changes) = (core, pending)
        guard changeCore() else { return }
        halt()
        settleTimer = nil
        withheld = []
        let left = before.release(self)
        let answered = OnceWithTimeout {}
        limitWait(answered)
        perform { [self] in
            adopt(left, pending: changes)
            answered()
        }
    }

    /// Continues with the roots of the core before.
    private func adopt(_ left: [WatchedRoot], pending changes: [FileChange]) {
        // A path may lead on, through a mount of this core.
        if changeCore() { return perform { [self] in adopt(left, pending: changes) } }
        let core = core
        guard !isStopped.load(ordering: .acquiring), !core.handoverState.isOver else { return }
        acknowledgeAlarm = OneShotTimer(on: core.queue)
        startSettling()
        isSuspended = false
        do throws(SystemError) { try core.begin(self) } catch { return observer.onError(error) }
        let moved = left.map { $0.move(to: core, for: request) }
        roots = moved.map(\.number)
        inherited = []
        for root in moved {
            prepare(root)
            core.join(root) { [weak self] in self?.receive($0) }
        }
        for change in changes { receive(change) }
        core.hasBarriers = core.hasBarriers || !barriers.isEmpty
        core.saveMovedRun()
        // This, and each comparison at its end, checks the mounts, which may move the run, with all its roots, to another
        // core.
        core.scheduleTick()
        for root in moved where self.core === core { core.catchUp(root) }
        guard self.core === core else { return }
        compareSkipped()
        catchUp()
    }

    /// Limits the wait for a server or a disk that does not answer. Changes are emitted once it does.
    private func limitWait(_ closure: OnceWithTimeout) {
        let core = core
        let (isHost, isRemote) = (core.isHost, core.isRemote.load(ordering: .acquiring))
        let hasProgressed = core.observeProgress()
        // A core of local file systems may be busy for long, with large trees.
        closure.orElse(after: core.wait.timeout, unless: { !isRemote && hasProgressed() }) { [weak self] in
            guard let self, !isStopped.load(ordering: .acquiring) else { return }
            for path in request.paths { onNotice(isHost ? .delayed(path) : .unanswered(path)) }
        }
    }
}
